export { findUpgrade } from "./components/relations.ts";
export { getTemplateEndpoint, templateWriter, TemplateView } from "./contract.ts";
export { copyTemplate, requireSharedComponents } from "./copy-template.ts";
export { newTemplate, type NewTemplate } from "./new-template.ts";
export { findTemplate, findTemplatesIn, findTemplateVersion } from "./store.ts";
export { takeReleases } from "./take-releases.ts";
export { templateView } from "./template-view.ts";
