import { type EventOfDeployment, historyProblems } from "#test/invariants/histories.ts";
import type { Deployment } from "../client/client.ts";
import type { WebhookEvent } from "../receiver/receiver.ts";

/** The events of one deployment without duplicates. */
function eventsOf(deployment: Deployment, received: readonly WebhookEvent[]): EventOfDeployment[] {
  const byId = new Map(
    received
      .filter(({ type, data }) => isAbout(deployment, type, data))
      .map((event) => [event.id, event]),
  );
  return [...byId.values()].map(({ id, type, sequence, data }) => ({
    id,
    type,
    sequence,
    from: textIn(data["previousState"]),
    to: textIn(data["state"]),
  }));
}

function isAbout(deployment: Deployment, type: string, data: WebhookEvent["data"]): boolean {
  return (
    type.startsWith("deployment.") &&
    Object.values(data).some((value) => typeof value === "string" && value.includes(deployment.id))
  );
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Problems in the events received for a deployment: it ended in another state than `ends`, or the events do not tell
 * its history. Empty if the events are complete and in order.
 */
export function eventProblems(
  deployment: Deployment,
  received: readonly WebhookEvent[],
  ends: readonly Deployment["state"][] = ["SUCCEEDED", "NO_CHANGES"],
): string[] {
  const { id, operation, state, timestamps } = deployment;
  if (!ends.includes(state)) return [`The ${operation} ${id} ended as ${state}.`];
  return historyProblems(
    { id, operation, state, states: Object.keys(timestamps) },
    eventsOf(deployment, received),
  );
}
