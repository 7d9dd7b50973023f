export { type Reads, readsOf, boundValues } from "./bound-values.ts";
export { getInstanceEndpoint, InstanceView } from "./contract.ts";
export { expiryOf, firstExpiryMs, nextExpiryWarningMs } from "./expiry-trigger.ts";
export { newTrigger } from "./new-trigger.ts";
export { setBack } from "./set-back.ts";
export {
  findInstance,
  findInstanceProfile,
  findInstanceTarget,
  findInstanceTenant,
  findVersionNames,
  findUpstreams,
  type InstanceRow,
  ofInstance,
  type Upstream,
} from "./store.ts";
export { updateInstance } from "./update-instance.ts";
export { variablesPlace } from "./variables.ts";
export { instanceView } from "./view.ts";
