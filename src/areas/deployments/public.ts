export { DeploymentView } from "./contract.ts";
export type { Deployment, DeploymentInputs, DeploymentOperation } from "./tables.ts";
export { deploymentView } from "./view.ts";
