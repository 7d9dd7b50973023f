export { findTemplate, findTemplateVersion } from "./store.ts";
export type { Template, TemplateVersion } from "./tables.ts";
