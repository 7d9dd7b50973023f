export { type Reads, readsOf } from "./bound-values.ts";
export { expiryOf, firstExpiryMs, nextExpiryWarningMs } from "./expiry-trigger.ts";
export { newTrigger } from "./new-trigger.ts";
export { startDeployment } from "./start-deployment.ts";
export { findInstance, findUpstreams, type InstanceRow, ofInstance } from "./store.ts";
export { updateInstance } from "./update-instance.ts";
