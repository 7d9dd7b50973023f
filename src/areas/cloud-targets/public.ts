export { findTarget, findTargetPlaces } from "./store.ts";
