export { canBeLeft, isFinal } from "./deployment.ts";
export { DeploymentView } from "./contract.ts";
export type { Deployment, DeploymentInputs, DeploymentOperation } from "./tables.ts";
export { findQueuedTriggered } from "./store.ts";
export { settleDeployment } from "./settle-deployment.ts";
export { supersedeQueued } from "./supersede-queued.ts";
export { deploymentView } from "./view.ts";
