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
  /** The rest of the request. Absent in a spec that could not be read and is made again from D1 (end-stopped.ts). */
  requested?: Omit<Origin, "inputs">;
  /** The source of the template version; null: it no longer exists. */
  source: string | null;
  /** What the template version froze. */
  types: FrozenTypes;
  /** The instance's state when the run was loaded. */
  instanceState: InstanceStatus;
  /** When the plan expires, in epoch milliseconds. Set while it waits for approval. */
  approveUntilMs?: number;
  /** A digest of the properties that were planned. Set while a plan waits for approval that reads objects with `get`. */
  plannedProperties?: string;
  /** Renames that the plan found and the template does not write: former names by the resources' names. */
  impliedRenames?: { [resource: string]: string };
  /** What the target came to allow after the request: the run keeps to all of it, as to what it froze. */
  limits?: TargetLimits[];
  /** Former names of the resources that the run has renamed, by their names now. */
  movedFrom?: { [resource: string]: string };
}

/** What a target allows. */
export interface TargetLimits {
  allowedRegions: readonly string[];
  /** Some keys permit what no check of ours sees: code that chooses regions, tenants that share an account. */
  config: JsonMap;
}

export interface Run {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  phase: RunPhase;
  /** The deployment is canceled: no new step is started. */
  canceling: boolean;
  /** The plan was approved. */
  approved: boolean;
  /** The place in the target's queue, as last projected to D1. */
  ticket: number | null;
  /** The number of the last projection. */
  projected: number;
  /** Set from when the run is loaded until it is closed. */
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

/** Whether the operation changes nothing at the provider, and so needs no slot. */
export function isReadOnly(operation: DeploymentOperation): boolean {
  return operation === "plan" || operation === "drift_check";
}
