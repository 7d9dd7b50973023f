import type { Run } from "#orchestrator/storage/run.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";

/** The state in which D1 shows an open run. Pure. */
export function shownState(
  { phase, canceling, approved }: Pick<Run, "phase" | "canceling" | "approved">,
  operation: DeploymentOperation,
): DeploymentState {
  if (canceling) return "CANCELING";
  if (phase === "parked") return "AWAITING_APPROVAL";
  // The approval has moved the deployment. A drift check applies nothing.
  if (approved || (phase === "applying" && operation !== "drift_check")) return "APPLYING";
  return phase === "waiting" || phase === "gate" ? "QUEUED" : "PLANNING";
}
