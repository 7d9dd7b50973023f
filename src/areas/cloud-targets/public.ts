export { allowsRegion } from "./regions.ts";
export { findTarget, findTargetProviders } from "./store.ts";
export type { CloudTarget } from "./tables.ts";
