/** What a run is: a deployment as its runner keeps it. */
import type { Plan } from "#engine/plan/steps.ts";
import type { DeploymentOperation } from "#schema/deployment-states.ts";
import type { DeploymentInputs } from "#schema/deployments.ts";
import type { InstanceStatus } from "#schema/instances.ts";

/** Where a run stands. `waiting`: rung, not looked at. `parked`: its plan waits for approval, it holds nothing. */
export type Phase = "waiting" | "gate" | "planning" | "parked" | "applying" | "closed";

export interface RunSpec {
  operation: DeploymentOperation;
  inputs: DeploymentInputs;
  /** The source of the template's version; null for a destroy. */
  source: string | null;
  /** The instance's state when the run began to plan. */
  instanceState: InstanceStatus;
  /** Set while its plan waits for approval: it expires then. */
  approveUntilMs?: number;
}

export interface Run {
  deploymentId: string;
  tenantId: string;
  instanceId: string;
  phase: Phase;
  /** Somebody asked to stop: nothing new is started. */
  canceling: boolean;
  /** Its plan was approved. */
  approved: boolean;
  /** The place in the target's queue that D1 was told. */
  ticket: number | null;
  /** The last projection made, by its number. */
  projected: number;
  /** Known from the moment the run is looked at until it is closed. */
  spec: RunSpec | null;
  plan: Plan | null;
}

/** Over: what it was made of is needed no more. */
export function close(run: Run): void {
  run.phase = "closed";
  run.spec = null;
  run.plan = null;
}

/** What it was asked to do. Throws for a run that was not looked at yet, or is closed. */
export function specOf(run: Run): RunSpec {
  if (run.spec === null) throw new Error(`Run ${run.deploymentId} has no inputs in ${run.phase}`);
  return run.spec;
}

/** Nothing is changed at the provider: no slot is needed. */
export function onlyLooks(operation: DeploymentOperation): boolean {
  return operation === "plan" || operation === "drift_check";
}
