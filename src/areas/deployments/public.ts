export { canBeLeft } from "./deployment.ts";
export { actionAccess, DeploymentView } from "./contract.ts";
export {
  type DeploymentRow,
  findDeployment,
  findDeploymentsIn,
  findOpenDeployments,
  findQueuedTriggered,
} from "./store.ts";
export { awaitDeployment } from "./await-deployment.ts";
export { supersedeQueued } from "./supersede-queued.ts";
export { deploymentView, requestedBy } from "./view.ts";
