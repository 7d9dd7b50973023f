/**
 * The safeguards of an instance, and the right to lower them. A safeguard can be lowered in several ways, and each of
 * them is checked here (docs/safeguards.md lists them).
 */
import type { CloudTarget } from "#schema/cloud-targets.ts";
import type { PlanSummary } from "#schema/deployments.ts";
import type { ApprovalMode, Instance } from "#schema/instances.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import { type Access, type Actor, requireFor } from "./access.ts";

/**
 * The roles that may lower the approval mode, and destroy. The approval of a plan needs the same role as a deployment
 * without approval.
 */
export const toLower = {
  approval: { role: "CustomerAdmin", scope: "deployments:approve" },
  destroy: { role: "CustomerAdmin", scope: "instances:write" },
} as const satisfies Readonly<Record<string, Access>>;

export interface Safeguards {
  /** Null: the default of the target. */
  approvalMode: ApprovalMode | null;
  environment: CloudTarget["environment"];
  protectedFromDestroy: boolean;
  /** An instance that expires is destroyed. */
  expiresAtMs: number | null;
}

/** From the fewest to the most plans that wait for approval. */
const approvalModes: readonly ApprovalMode[] = ["auto", "destructive", "always"];

/** The mode under which more plans wait for approval. */
export function stricterMode(a: ApprovalMode, b: ApprovalMode): ApprovalMode {
  return approvalModes.indexOf(a) < approvalModes.indexOf(b) ? b : a;
}

/** Whether the plan of this operation removes objects that the instance's protection keeps. */
export function breaksProtection(
  operation: DeploymentOperation,
  summary: Pick<PlanSummary, "delete" | "replace"> | null,
): boolean {
  return operation === "destroy" || (summary !== null && summary.delete + summary.replace > 0);
}

/** The instance's approval mode, or its target's default. */
export function approvalModeOf(
  { approvalMode }: Pick<Instance, "approvalMode">,
  { environment }: Pick<CloudTarget, "environment">,
): ApprovalMode {
  return approvalMode ?? (environment === "production" ? "destructive" : "auto");
}

/** The safeguards of a new instance that names none. */
export function defaultSafeguards({ environment }: Pick<CloudTarget, "environment">): Safeguards {
  return { approvalMode: null, environment, protectedFromDestroy: false, expiresAtMs: null };
}

/** Throws `forbidden` unless the caller may lower each safeguard that is lower afterwards. */
export function requireMayLower(
  actor: Actor,
  tenantId: string,
  before: Safeguards,
  after: Safeguards,
): void {
  if (approvalRank(after) < approvalRank(before))
    requireFor(
      `Lowering the approval mode from ${describeApproval(before)} to ${describeApproval(after)}`,
      toLower.approval,
      { actor, tenantId },
    );
  if (before.protectedFromDestroy && !after.protectedFromDestroy)
    requireFor("Removing the protection from destroy", toLower.destroy, { actor, tenantId });
  if (after.expiresAtMs !== null && after.expiresAtMs < (before.expiresAtMs ?? Infinity))
    requireFor("Setting `expiresAt`, or an earlier time,", toLower.destroy, { actor, tenantId });
}

/**
 * The rank of an instance's approval mode. A default of `auto` ranks above a set `auto`: the default rises when the
 * target becomes production, and a set value does not.
 */
function approvalRank(safeguards: Safeguards): number {
  const rank = approvalModes.indexOf(approvalModeOf(safeguards, safeguards));
  return safeguards.approvalMode === null && rank === 0 ? 0.5 : rank;
}

function describeApproval(safeguards: Safeguards): string {
  const mode = approvalModeOf(safeguards, safeguards);
  return safeguards.approvalMode === null ? `the target's default (${mode})` : mode;
}
