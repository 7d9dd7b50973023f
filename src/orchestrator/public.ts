export type { LogPage, ResourceSummary } from "./instance-runner.ts";
export { ringCancel, ringDeployment, ringVerdict } from "./ring.ts";
export { listResources, readLog } from "./ask-runner.ts";
export { verifyTarget } from "./verify-target.ts";
