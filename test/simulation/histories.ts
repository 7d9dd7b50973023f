/** Events and audit entries tell the whole story of each deployment, in order. */
import type { DeploymentRow, Facts } from "./facts.ts";
import { parsed } from "./stored.ts";

/** The allowed state changes (product.md, States). */
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
/** Checks the story of every deployment. */
export function checkHistories(facts: Facts): void {
  auditIsComplete(facts);
  for (const row of facts.rows) eventsAreComplete(facts, row);
}

function auditIsComplete(facts: Facts): void {
  const entries = facts.real.d1.rows(
    `SELECT resource_id AS id, action, count(*) AS times FROM audit_events
      WHERE tenant_id = ? AND resource_type = 'deployment' GROUP BY resource_id, action`,
    [facts.real.ground.tenantId],
  );
  const times = new Map(
    entries.map((row) => [`${String(row["id"])} ${String(row["action"])}`, Number(row["times"])]),
  );
  for (const row of facts.rows) {
    if (facts.isRestored(row)) continue;
    const { id, operation, timestamps } = row;
    const kinds = new Set(eventsOf(facts, row).map(({ type }) => type));
    const expected: Record<string, boolean> = {
      [`instance.${operation}`]: true,
      "deployment.approve": kinds.has("approved"),
      "deployment.discard": kinds.has("discarded"),
      "deployment.abandon": row.isAbandoned,
      "deployment.cancel":
        kinds.has("canceling") || (kinds.has("canceled") && !("PLANNING" in timestamps)),
    };
    for (const [action, once] of Object.entries(expected)) {
      const found = times.get(`${id} ${action}`) ?? 0;
      facts.problem(found !== Number(once), `${id}: ${found} audit rows of ${action}`);
    }
  }
}

function eventsOf(facts: Facts, { id }: DeploymentRow) {
  return facts.real.d1
    .rows(
      "SELECT id, type, payload FROM events WHERE resource_id = ? AND resource_type = 'deployment'",
      [id],
    )
    .map((row) => {
      const payload = parsed(row["payload"]) as {
        sequence: number;
        data: { previousState?: string; state: string };
      };
      return {
        type: String(row["type"]).replace("deployment.", ""),
        sequence: payload.sequence,
        from: payload.data.previousState,
        to: payload.data.state,
      };
    })
    .sort((a, b) => a.sequence - b.sequence);
}

/** Each event exists once, and together they tell every state of the deployment in order. */
function eventsAreComplete(facts: Facts, row: DeploymentRow): void {
  const events = eventsOf(facts, row);
  const story = `${row.id}: ${events.map(({ sequence, from, to, type }) => `${sequence} ${type} ${from}>${to}`).join(", ")}; now ${row.state}, version ${row.version}`;
  const sequences = new Set(events.map(({ sequence }) => sequence));
  const twice = events.filter(({ type }, at) => events.findIndex((one) => one.type === type) < at);
  // A run that goes on after a restore is canceled although a request has told that it was (decision 0007).
  const canceledTwice = facts.isRestored(row) && twice.every(({ type }) => type === "canceled");
  facts.problem(twice.length > 0 && !canceledTwice, `A duplicate event: ${story}`);
  facts.problem(sequences.size < events.length, `Two events with one sequence: ${story}`);
  facts.problem(events.at(-1)?.to !== row.state, `The last event has another state: ${story}`);
  if (facts.isRestored(row)) return;
  facts.problem(
    events[0]?.type !== "queued" || events[0].sequence !== 1,
    `No first event: ${story}`,
  );
  facts.problem(
    (events.at(-1)?.sequence ?? 0) > row.version,
    `An event is newer than the row: ${story}`,
  );
  let state = "QUEUED";
  for (const { type, from, to } of events.slice(1)) {
    // A projection made before the runner knew of a cancel names the earlier state.
    facts.problem(from !== state && state !== "CANCELING", `A gap before ${type}: ${story}`);
    const next = state === "CANCELING" && type === "planned" ? "CANCELING" : to;
    // A drift check gives way to a deployment without a cancel.
    const yields = row.operation === "drift_check" && state === "PLANNING" && next === "CANCELED";
    const abandons = row.isAbandoned && next === "FAILED";
    facts.problem(
      !yields && !abandons && moves[state]?.includes(next) !== true,
      `${state} to ${next}: ${story}`,
    );
    state = next;
  }
  const visited = new Set(["QUEUED", ...events.map(({ to }) => to)]);
  for (const name of visited)
    facts.problem(!(name in row.timestamps), `No time of ${name}: ${story}`);
  for (const name of Object.keys(row.timestamps))
    facts.problem(!visited.has(name), `A time of ${name} without an event: ${story}`);
}
