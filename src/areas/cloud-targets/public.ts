export { getTargetEndpoint, TargetView } from "./contract.ts";
export { findTarget, findTargetPlaces, findTargetsIn } from "./store.ts";
export { targetView } from "./target-view.ts";
