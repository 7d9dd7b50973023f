export { findTemplate, findTemplateVersion } from "./store.ts";
