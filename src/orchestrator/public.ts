export type { LogPage, ResourceSummary } from "./instance-runner.ts";
export { ringCancel, ringDeployment, ringGate, ringRunner } from "./ring.ts";
export { listResources, readLog, untilSettled } from "./ask-runner.ts";
export { verifyTarget } from "./verify-target.ts";
export { ringTriggers, type TriggerRing } from "./ring-triggers.ts";
