/** The events of a deployment tell its whole history, even after crashes. */
import { type Sequenced, sequenceProblems } from "./sequences.ts";

export interface EventOfDeployment extends Sequenced {
  /** The states that the event names; absent if only its type is known. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface TracedDeployment {
  id: string;
  operation: string;
  state: string;
  version?: number;
  /** The states that have a time. */
  states: readonly string[];
  /** An operator ended it, in any state. */
  isAbandoned?: boolean;
}

export interface Gaps {
  /** Events that a restore of the database may have taken away, by their verbs. */
  mayLack?: (verb: string) => boolean;
  /** A restore set the deployment back: its states may have holes, and sequences may be out of order. */
  isRestored?: boolean;
}

/** The allowed changes of state. This second table shows mistakes in the product's own. */
const moves: Readonly<Record<string, readonly string[]>> = {
  QUEUED: ["PLANNING", "CANCELED", "SUPERSEDED"],
  PLANNING: [
    "PLANNING",
    "AWAITING_APPROVAL",
    "APPLYING",
    "SUCCEEDED",
    "NO_CHANGES",
    "FAILED",
    "CANCELING",
  ],
  AWAITING_APPROVAL: ["APPLYING", "DISCARDED", "EXPIRED", "SUPERSEDED"],
  APPLYING: ["APPLYING", "SUCCEEDED", "FAILED", "CANCELING"],
  CANCELING: ["CANCELING", "CANCELED", "SUCCEEDED", "NO_CHANGES", "FAILED"],
};

/** The event of a state, if it is not the state's own word. */
const verbs: Readonly<Record<string, string>> = {
  PLANNING: "started",
  AWAITING_APPROVAL: "approval_required",
};

/** The problems of a deployment's events. Their types are like `deployment.queued`. */
export function historyProblems(
  deployment: TracedDeployment,
  all: readonly EventOfDeployment[],
  gaps: Gaps = {},
): string[] {
  const events = all
    .map((event) => ({ ...event, verb: event.type.replace("deployment.", "") }))
    .toSorted((one, other) => one.sequence - other.sequence);
  const { id, operation, state, version, states } = deployment;
  const { mayLack = () => false, isRestored = false } = gaps;
  // Several objects with their own clocks make the ids, so ids do not order the events.
  const problems = sequenceProblems(`deployment ${id}`, events, {
    version: isRestored ? undefined : version,
    unordered: true,
  });
  const story = `the ${operation} ${id}, now ${state}: ${events.map(({ sequence, verb, from, to }) => `${sequence} ${verb}${to === undefined ? "" : ` ${from}>${to}`}`).join(", ")}`;
  for (const verb of dueEvents(deployment)) {
    const count = events.filter((event) => event.verb === verb).length;
    if (count === 0 && !mayLack(verb)) problems.push(`No event deployment.${verb} of ${story}`);
  }
  const twice = events.filter(
    ({ verb }, at) => events.findIndex((event) => event.verb === verb) < at,
  );
  // After a restore, a run that goes on may be canceled although an event already told a cancel (decision 0007).
  if (twice.some(({ verb }) => !isRestored || verb !== "canceled"))
    problems.push(`Two events deployment.${twice[0]?.verb} of ${story}`);
  const [first] = events;
  if (!isRestored && !mayLack("queued") && (first?.verb !== "queued" || first.sequence !== 1))
    problems.push(`No first event of ${story}`);
  const last = events.at(-1);
  if (last?.to !== undefined && last.to !== state)
    problems.push(`The last event has another state of ${story}`);
  if (events.every(({ to }) => to !== undefined) && !isRestored)
    problems.push(...moveProblems(deployment, events, story));
  return problems.concat(
    states.length > 0 && !isRestored
      ? events
          .filter(({ to }) => to !== undefined && !states.includes(to))
          .map(({ to }) => `No time of ${to} of ${story}`)
      : [],
  );
}

/** The verbs of the required events. */
function dueEvents({ operation, state, states }: TracedDeployment): Set<string> {
  const due = new Set(states.map((one) => verbs[one] ?? one.toLowerCase()));
  due.add(verbs[state] ?? state.toLowerCase());
  const [applied, waited, canceled] = ["APPLYING", "AWAITING_APPROVAL", "CANCELING"].map((one) =>
    states.includes(one),
  );
  if (waited && applied) due.add("approved");
  // `approved` tells the state too, and a run may end before it begins to apply.
  if (waited && state !== "SUCCEEDED") due.delete("applying");
  // A drift check makes no plan. A cancel leaves out events that its run had not written yet.
  const isPlanned = applied || waited || state === "NO_CHANGES";
  if (isPlanned && operation !== "drift_check" && !canceled) due.add("planned");
  return due;
}

function moveProblems(
  { operation, isAbandoned = false }: TracedDeployment,
  events: readonly (EventOfDeployment & { verb: string })[],
  story: string,
): string[] {
  const problems: string[] = [];
  let state = "QUEUED";
  for (const { verb, from, to = "" } of events.slice(1)) {
    // A projection made before the runner knew of a cancel names the earlier state.
    if (from !== state && state !== "CANCELING") problems.push(`A gap before ${verb} of ${story}`);
    const next = state === "CANCELING" && verb === "planned" ? "CANCELING" : to;
    // A drift check gives way to a deployment without a cancel.
    const yields = operation === "drift_check" && state === "PLANNING" && next === "CANCELED";
    const abandons = isAbandoned && next === "FAILED";
    if (!yields && !abandons && moves[state]?.includes(next) !== true)
      problems.push(`${state} to ${next} of ${story}`);
    state = next;
  }
  return problems;
}
