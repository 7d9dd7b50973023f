export { getTemplateEndpoint, TemplateView } from "./contract.ts";
export { copyTemplate } from "./copy-template.ts";
export { newTemplate, type NewTemplate } from "./new-template.ts";
export { findTemplate, findTemplatesIn, findTemplateVersion } from "./store.ts";
export { templateView } from "./template-view.ts";
