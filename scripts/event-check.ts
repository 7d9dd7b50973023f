import type { Deployment } from "./client.ts";
import type { WebhookEvent } from "./receiver.ts";

const applied = ["queued", "started", "planned", "applying", "succeeded"];
const approved = applied.toSpliced(3, 0, "approval_required", "approved");

/** The events of a successful deployment, in order. Undefined when it was not successful. */
function expectedEvents({
  operation,
  state,
  timestamps,
}: Deployment): readonly string[] | undefined {
  if (state === "NO_CHANGES") return ["queued", "started", "planned", "no_changes"];
  if (state !== "SUCCEEDED") return undefined;
  if (operation === "plan") return applied.filter((type) => type !== "applying");
  return timestamps.AWAITING_APPROVAL === undefined ? applied : approved;
}

/** The events of one deployment without duplicates, ordered by sequence. */
function eventsOf(
  deployment: Deployment,
  received: readonly WebhookEvent[],
): readonly WebhookEvent[] {
  const byId = new Map(
    received
      .filter(({ type, data }) => isAbout(deployment, type, data))
      .map((event) => [event.id, event]),
  );
  return [...byId.values()].toSorted((one, other) => one.sequence - other.sequence);
}

function isAbout(deployment: Deployment, type: string, data: WebhookEvent["data"]): boolean {
  return (
    type.startsWith("deployment.") &&
    Object.values(data).some((value) => typeof value === "string" && value.includes(deployment.id))
  );
}

/**
 * Problems in the events received for a deployment: unsuccessful end, missing or surplus events, duplicate sequence
 * numbers. Empty when the events are complete and in order.
 */
export function eventProblems(deployment: Deployment, received: readonly WebhookEvent[]): string[] {
  const name = `The ${deployment.operation} ${deployment.id}`;
  const expected = expectedEvents(deployment)?.map((verb) => `deployment.${verb}`);
  if (expected === undefined) return [`${name} ended as ${deployment.state}.`];
  const events = eventsOf(deployment, received);
  const problems: string[] = [];
  const types = events.map(({ type }) => type);
  if (types.join() !== expected.join())
    problems.push(`${name} should send ${expected.join(", ")}; received: ${types.join(", ")}.`);
  if (new Set(events.map(({ sequence }) => sequence)).size !== events.length)
    problems.push(`${name} sent two events with the same sequence number.`);
  return problems;
}
