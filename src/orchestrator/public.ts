export type { LogPage, ResourceSummary } from "./instance-runner.ts";
export type { LogEntry } from "./narrate.ts";
export { ringCancel, ringDeployment } from "./ring.ts";
export { listResources, readLog } from "./ask-runner.ts";
