export { TemplateView } from "./contract.ts";
export { copyTemplate } from "./copy-template.ts";
export { findTemplate, findTemplateVersion } from "./store.ts";
export { templateView } from "./template-view.ts";
