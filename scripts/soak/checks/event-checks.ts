/** Checks of the stored events, and of the deliveries to the receivers. */
import { MAX_ATTEMPTS, undelivered } from "#test/invariants/deliveries.ts";
import { historyProblems } from "#test/invariants/histories.ts";
import { sequenceProblems } from "#test/invariants/sequences.ts";
import { type Book, mayBeLost } from "../book.ts";
import type { Check, DeliveryFact, DeploymentFact, Evidence, WebhookFact } from "../evidence.ts";

/** An open delivery that is overdue by more is forgotten. */
const LATE_MS = 120_000;

/** Events of requests: a runner cannot write them again after a restore. */
const ofRequests = new Set(["queued", "approved", "discarded", "canceling", "canceled"]);

const wasRestored = (window: Book["lossWindow"], { timestamps }: DeploymentFact): boolean =>
  Object.values(timestamps).some((atMs) => mayBeLost(window, atMs));

const complete: Check = {
  name: "events of deployments",
  count: ({ deployments }) => deployments.length,
  problems: ({ deployments, events, lossWindow }) => {
    const byDeployment = Map.groupBy(
      events.filter(({ resourceType }) => resourceType === "deployment"),
      ({ resourceId }) => resourceId,
    );
    return deployments.flatMap((deployment) => {
      const { id, operation, state, timestamps } = deployment;
      const isRestored = wasRestored(lossWindow, deployment);
      return historyProblems(
        {
          id,
          operation,
          state,
          states: Object.keys(timestamps),
          isAbandoned: deployment.isAbandoned,
        },
        byDeployment.get(id) ?? [],
        { isRestored, mayLack: (verb) => isRestored && ofRequests.has(verb) },
      );
    });
  },
};

const sequences: Check = {
  name: "sequences of events",
  count: ({ events }) => events.length,
  problems: ({ events, versions, lossWindow }) =>
    [
      ...Map.groupBy(events, ({ resourceType, resourceId }) => `${resourceType} ${resourceId}`),
    ].flatMap(([resource, own]) => {
      const { resourceType, resourceId = "" } = own[0] ?? {};
      return sequenceProblems(resource, own, {
        version: versions.get(resourceType === "status" ? `status ${resourceId}` : resourceId),
        unordered: own.some(({ createdAtMs }) => mayBeLost(lossWindow, createdAtMs)),
      });
    }),
};

/** Every event reached each good webhook of its tenant that existed before the event. */
const delivered: Check = {
  name: "events delivered",
  count: ({ webhooks, events }) => webhooks.filter(isGood).length * events.length,
  problems: ({ webhooks, events, arrivals, deliveries }) => {
    const accepted = Map.groupBy(
      arrivals.filter(({ accepted }) => accepted),
      ({ path }) => path,
    );
    const stored = new Map(deliveries.map((one) => [`${one.webhookId} ${one.eventId}`, one]));
    return webhooks.filter(isGood).flatMap((webhook) =>
      undelivered(
        `the webhook ${webhook.id}`,
        events.filter(
          ({ tenantId, createdAtMs, resourceType }) =>
            tenantId === webhook.tenantId &&
            resourceType !== "webhook" &&
            createdAtMs > webhook.createdAtMs,
        ),
        new Set(accepted.get(webhook.path)?.map(({ id }) => id)),
        (eventId) => stored.get(`${webhook.id} ${eventId}`),
      ),
    );
  },
};

const isGood = ({ mood, getsAll }: WebhookFact): boolean => mood === "good" && getsAll;

/** Every arrival is an event of the receiver's tenant, with the stored bytes, the same each time. */
const arrived: Check = {
  name: "what receivers got",
  count: ({ arrivals }) => arrivals.length,
  problems: ({ arrivals, events, receiversWrong, lossWindow }) => {
    const stored = new Map(events.map((event) => [event.id, event]));
    const problems = [...receiversWrong];
    for (const [id, same] of Map.groupBy(arrivals, (arrival) => arrival.id)) {
      for (const { path, owner, tenantId } of same)
        if (owner !== tenantId)
          problems.push(`${path} of the tenant ${owner} got ${id} of the tenant ${tenantId}`);
      // An event that D1 lost and a runner wrote again may have another sequence.
      const digestOf = lossWindow === undefined ? "digest" : "digestWithoutSequence";
      const event = stored.get(id);
      if (event === undefined && lossWindow === undefined)
        problems.push(`${same[0]?.path} got ${id}, which is no event`);
      const digests = new Set(same.map((arrival) => arrival[digestOf]));
      if (event !== undefined) digests.add(event[digestOf]);
      if (digests.size > 1)
        problems.push(`the event ${id} (${same[0]?.type}) came with ${digests.size} bodies`);
    }
    return problems;
  },
};

const logged: Check = {
  name: "log of deliveries",
  count: ({ deliveries }) => deliveries.length,
  problems: (evidence) => {
    const moods = new Map(evidence.webhooks.map(({ id, mood }) => [id, mood]));
    return evidence.deliveries.flatMap((delivery) => {
      const problem = deliveryProblem(delivery, moods.get(delivery.webhookId), evidence);
      return problem === undefined
        ? []
        : [
            `the delivery ${delivery.id} of ${delivery.eventId} to ${delivery.webhookId}, ${delivery.state}, ${problem}`,
          ];
    });
  },
};

function deliveryProblem(
  { state, attempts, log, manual, held, dueAtMs }: DeliveryFact,
  mood: WebhookFact["mood"] | undefined,
  { stoppedAtMs }: Evidence,
): string | undefined {
  if (attempts !== log.length) return `counts ${attempts} attempts and has ${log.length}`;
  const succeeded = log.at(-1) === true;
  if (log.slice(0, -1).includes(true)) return "was attempted after it had succeeded";
  if ((state === "SUCCEEDED") !== succeeded) return `has the attempts ${JSON.stringify(log)}`;
  if (state === "EXHAUSTED" && !manual && attempts < MAX_ATTEMPTS)
    return `was given up after ${attempts} attempts`;
  if (state !== "PENDING" && state !== "RETRYING") return undefined;
  if (mood === "good") return "is open";
  if (held) return undefined;
  if (dueAtMs === null) return "is open and never due";
  return dueAtMs < stoppedAtMs - LATE_MS
    ? `is due since ${new Date(dueAtMs).toISOString()}`
    : undefined;
}

export const eventChecks: readonly Check[] = [complete, sequences, delivered, arrived, logged];
