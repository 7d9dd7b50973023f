/** Derives the instance's state from a run. Pure. */
import type { InstanceStatus } from "#schema/instances.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";

export function statusWhileApplying(
  operation: DeploymentOperation,
  before: InstanceStatus,
): InstanceStatus {
  if (operation === "destroy") return "DESTROYING";
  return neverWorked(before) ? "PROVISIONING" : "UPDATING";
}

/** `touched`: something at the provider may have changed. */
export function statusAfter(
  operation: DeploymentOperation,
  before: InstanceStatus,
  final: DeploymentState,
  touched: boolean,
): InstanceStatus {
  if (final === "SUCCEEDED" || final === "NO_CHANGES")
    return operation === "destroy" ? "DESTROYED" : "ACTIVE";
  if (!touched) return before;
  if (operation === "destroy") return final === "FAILED" ? "DESTROY_FAILED" : "DEGRADED";
  return neverWorked(before) ? "FAILED" : "DEGRADED";
}

/** Whether the instance never became active, or was destroyed again. */
function neverWorked(before: InstanceStatus): boolean {
  return ["INITIALIZED", "PROVISIONING", "FAILED", "DESTROYED"].includes(before);
}
