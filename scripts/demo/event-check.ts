import type { Deployment } from "../client/client.ts";
import type { WebhookEvent } from "../receiver/receiver.ts";

const applying = ["queued", "started", "planned", "applying"];
const approved = applying.toSpliced(3, 0, "approval_required", "approved");

/** The events of a deployment, in order. Undefined when it did not end after it had applied. */
function expectedEvents({
  operation,
  state,
  timestamps,
}: Deployment): readonly string[] | undefined {
  if (state === "NO_CHANGES") return ["queued", "started", "planned", "no_changes"];
  const applied = timestamps.APPLYING !== undefined;
  if (state !== "SUCCEEDED" && !(applied && (state === "CANCELED" || state === "FAILED")))
    return undefined;
  if (operation === "plan") return ["queued", "started", "planned", "succeeded"];
  return [
    ...(timestamps.AWAITING_APPROVAL === undefined ? applying : approved),
    ...(timestamps.CANCELING === undefined ? [] : ["canceling"]),
    state.toLowerCase(),
  ];
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
 * Problems in the events received for a deployment: an end in another state than `ends`, missing or surplus events,
 * duplicate sequence numbers. Empty when the events are complete and in order.
 */
export function eventProblems(
  deployment: Deployment,
  received: readonly WebhookEvent[],
  ends: readonly Deployment["state"][] = ["SUCCEEDED", "NO_CHANGES"],
): string[] {
  const name = `The ${deployment.operation} ${deployment.id}`;
  const expected = ends.includes(deployment.state)
    ? expectedEvents(deployment)?.map((verb) => `deployment.${verb}`)
    : undefined;
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
