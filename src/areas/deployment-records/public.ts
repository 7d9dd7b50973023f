export { canBeLeft } from "./actions.ts";
export { actionAccess, DeploymentView, readAccess, SummaryView } from "./contract.ts";
export { approvesOwn, ownPart } from "./own-part.ts";
export {
  type DeploymentFilters,
  type DeploymentRow,
  findDeployment,
  findDeployments,
  findDeploymentsIn,
  findOpenDeployments,
  findQueuedTriggered,
  goodBefore,
  isQueuedTriggered,
} from "./store.ts";
export { deploymentView, requestedBy } from "./view.ts";
