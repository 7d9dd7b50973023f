/** A deployment in words, for pages and chat messages. Pure. */
import type { Fault } from "./deployment-faults.ts";
import type { DeploymentOperation, DeploymentState } from "./deployment-states.ts";

const operations: Readonly<Record<DeploymentOperation, string>> = {
  deploy: "Deploy",
  destroy: "Destroy",
  plan: "Plan",
  drift_check: "Drift check",
  rollback: "Rollback",
};

const states: Readonly<Record<DeploymentState, string>> = {
  QUEUED: "waits to start",
  PLANNING: "is being planned",
  AWAITING_APPROVAL: "waits for approval",
  APPLYING: "is being applied",
  CANCELING: "is being canceled",
  SUCCEEDED: "succeeded",
  NO_CHANGES: "found nothing to change",
  FAILED: "failed",
  CANCELED: "was canceled",
  DISCARDED: "was discarded",
  EXPIRED: "expired: nobody approved its plan in time",
  SUPERSEDED: "was superseded by another deployment",
};

/** The party that must act after a failure, and its action. */
export const whoActs: Readonly<Record<Fault, string>> = {
  user: "The template, its variables, the credential or the region is wrong: correct it and deploy again.",
  provider: "The cloud failed: deploy again later.",
  service: "This service failed: deploy again, and tell its operator if it stays so.",
};

export function operationWord(operation: DeploymentOperation): string {
  return operations[operation];
}

interface Standing {
  operation: DeploymentOperation;
  state: DeploymentState;
  blockedBy: { kind: "instance_busy" | "target_capacity" | "approval"; position: number } | null;
}

/** How a drift check ended. */
const checked: Partial<Readonly<Record<DeploymentState, string>>> = {
  SUCCEEDED: "found differences",
  NO_CHANGES: "found none",
};

/** The deployment and its progress: `Deploy of shop waits for a slot of its target: number 2 of this tenant.` */
export function headline(deployment: Standing, instance: string): string {
  const { operation, state } = deployment;
  const words = (operation === "drift_check" ? checked[state] : undefined) ?? standing(deployment);
  return `${operations[operation]} of ${instance} ${words}.`;
}

function standing({ state, blockedBy }: Standing): string {
  if (blockedBy === null || blockedBy.kind === "approval") return states[state];
  return blockedBy.kind === "instance_busy"
    ? `waits for another deployment of the instance: number ${blockedBy.position} in the queue`
    : `waits for a slot of its target: number ${blockedBy.position} of this tenant`;
}

interface Requested {
  requestedBy: { kind: "member" | "key" | "operator" | "trigger"; name: string | null };
  trigger: string;
}

/** `Ana`, `a trigger (schedule)`. */
export function requester({ requestedBy, trigger }: Requested): string {
  const { kind, name } = requestedBy;
  if (kind === "trigger") return `a trigger (${(name ?? trigger).replaceAll("_", " ")})`;
  if (kind === "operator") return "an operator";
  return name ?? (kind === "key" ? "an API key" : "somebody without a name");
}

const actions = ["create", "update", "replace", "delete"] as const;

type Summary = Readonly<Record<(typeof actions)[number], number>>;

/** `2 to create, 1 to delete`; undefined: there is no plan yet, or it changes nothing. */
export function summaryWords({ summary }: { summary: Summary | null }): string | undefined {
  if (summary === null) return undefined;
  const parts = actions
    .filter((action) => summary[action] > 0)
    .map((action) => `${summary[action]} to ${action}`);
  return parts.length === 0 ? undefined : parts.join(", ");
}

const done: Readonly<Record<(typeof actions)[number], string>> = {
  create: "created",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
};

/**
 * What the plan does, or has done once the deployment succeeded: `2 created, 1 deleted`. Undefined: there is no plan
 * yet, or it changes nothing.
 */
export function outcomeWords(of: {
  operation: DeploymentOperation;
  state: DeploymentState;
  summary: Summary | null;
}): string | undefined {
  const isDone =
    of.state === "SUCCEEDED" && of.operation !== "plan" && of.operation !== "drift_check";
  if (!isDone || of.summary === null) return summaryWords(of);
  const { summary } = of;
  const parts = actions
    .filter((action) => summary[action] > 0)
    .map((action) => `${summary[action]} ${done[action]}`);
  return parts.length === 0 ? undefined : parts.join(", ");
}

/** The actions of a plan's changes, those that destroy something first. */
const byRisk = ["delete", "replace", "update", "create", "read", "unchanged"] as const;

/** What is deleted and replaced first; otherwise in the order of the plan. */
export function riskiestFirst<Item>(
  items: readonly Item[],
  actionOf: (item: Item) => (typeof byRisk)[number],
): Item[] {
  const rank = (item: Item) => byRisk.indexOf(actionOf(item));
  return items.toSorted((a, b) => rank(a) - rank(b));
}
