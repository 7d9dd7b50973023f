export { findTarget, findTargetProviders } from "./store.ts";
export type { CloudTarget } from "./tables.ts";
