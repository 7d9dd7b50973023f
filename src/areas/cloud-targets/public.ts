export { findTarget, findTargetPlaces } from "./store.ts";
export type { CloudTarget } from "./tables.ts";
