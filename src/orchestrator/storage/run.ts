/** A deployment as its runner stores and executes it. */
import type { FrozenTypes } from "#engine/frozen-types.ts";
import type { Plan } from "#engine/plan/steps.ts";
import type { Origin } from "#orchestrator/projection/snapshot.ts";
import type { JsonMap } from "#platform/json.ts";
import type { DeploymentInputs } from "#schema/deployments.ts";
import type { InstanceStatus } from "#schema/instances.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";

export interface RunSpec {
  operation: DeploymentOperation;
  inputs: DeploymentInputs;
  /** The rest of the request. Absent in a spec that was unreadable and was made again from D1 (end-stopped.ts). */
  requested?: Omit<Origin, "inputs">;
  /** The source of the template version; null: it no longer exists. */
  source: string | null;
  /** The types that the template version froze. */
  types: FrozenTypes;
  /** The instance's state when the run was loaded. */
  instanceState: InstanceStatus;
  /** When the plan expires, in epoch milliseconds. Set while it waits for approval. */
  approveUntilMs?: number;
  /** A digest of the planned properties. Set while a plan that reads objects with `get` waits for approval. */
  plannedProperties?: string;
  /** Renames that the plan found and the template does not contain: former names by resource name. */
  impliedRenames?: { [resource: string]: string };
  /** Limits of the target since the request. The run obeys all of them, and those that it froze. */
  limits?: TargetLimits[];
  /** Former names of the resources that the run has renamed, by present name. */
  movedFrom?: { [resource: string]: string };
}

/** The limits of a target. */
export interface TargetLimits {
  allowedRegions: readonly string[];
  /**
   * Some keys permit effects beyond this service's checks: code that chooses regions, tenants that share an account.
   */
  config: JsonMap;
}

export interface Run {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  phase: RunPhase;
  /** The deployment is canceled: no new step starts. */
  canceling: boolean;
  /** The plan was approved. */
  approved: boolean;
  /** The place in the target's queue, as last projected to D1. */
  ticket: number | null;
  /** The number of the last projection. */
  projected: number;
  /** Set from the load of the run to its close. */
  spec: RunSpec | null;
  plan: Plan | null;
}

/** Ends the run and drops its spec and plan. */
export function close(run: Run): void {
  run.phase = "closed";
  run.spec = null;
  run.plan = null;
}

/** The run's spec. Throws for a run that is not loaded yet or is closed. */
export function specOf(run: Run): RunSpec {
  if (run.spec === null) throw new Error(`Run ${run.deploymentId} has no inputs in ${run.phase}`);
  return run.spec;
}

/** Whether the operation changes nothing at the provider, so that it needs no slot. */
export function isReadOnly(operation: DeploymentOperation): boolean {
  return operation === "plan" || operation === "drift_check";
}
