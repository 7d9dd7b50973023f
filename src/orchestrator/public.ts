export type { ResourceSummary } from "./resource-summary.ts";
export type { LogPage } from "./run-log.ts";
export { ringCancel, ringDeployment, ringGate, ringRunner } from "./ring.ts";
export { listResources, readLog, untilSettled } from "./ask-runner.ts";
export { verifyTarget } from "./verify-target.ts";
export { ringTriggers, type TriggerRing } from "./ring-triggers.ts";
