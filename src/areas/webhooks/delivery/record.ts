import { currentStanding } from "#areas/license/public.ts";
import { setWebhook } from "#areas/webhooks/store.ts";
import { closedCircuit } from "#areas/webhooks/webhook.ts";
import { audit } from "#kernel/audit/audit.ts";
import { isConflict } from "#kernel/call/retry-on-conflict.ts";
import { serviceCall } from "#kernel/call/service-call.ts";
import { type DeliveryRef, event } from "#kernel/outbox/outbox.ts";
import { type Statement, openDb, runBatch } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { webhooks } from "#schema/webhooks.ts";
import { type Step, circuitSteps } from "./circuit.ts";
import { attemptStatements, cancelStatement, healthStatements } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";
import type { Ended } from "./dispatch.ts";
import { failingWarning } from "./failing-warning.ts";
import { admitStatement } from "./lane-limit.ts";
import { type DueMessage, notifyConsumers } from "./notify-consumers.ts";

/**
 * Records the results of the deliveries in one batch, then sends messages for their next attempts and for the
 * deliveries that waited for them. If D1 fails, the sweep sends the deliveries again once their leases have lapsed.
 */
export async function record(finished: readonly Ended[], parts: DeliverParts): Promise<void> {
  const db = openDb(parts.env.DB);
  const together: Ended[] = [];
  const tenantIds = new Set<string>();
  for (const result of finished) {
    tenantIds.add(result.delivery.tenantId);
    if (result.kind === "canceled" || result.next.disable === undefined) together.push(result);
    else if (!(await recordAndDisable(result, result.next.disable, parts))) together.push(result);
  }
  if (tenantIds.size === 0) return;
  const { limits } = await currentStanding(parts.env, parts.now());
  const attempted = together.filter((result) => result.kind === "attempted");
  const steps: Step[] = [
    ...together
      .filter((result) => result.kind === "canceled")
      .map(({ delivery }) => quiet(cancelStatement(db, delivery, parts.now()))),
    ...attemptStatements(db, attempted, { limits, nowMs: parts.now() }).map(quiet),
    ...attempted.flatMap((result): Step[] => [
      ...healthStatements(db, result).map(quiet),
      ...circuitSteps(db, result, result.attempt),
      ...failingWarning({ db, env: parts.env }, result.webhook, result.attempt, parts.newId()),
    ]),
    ...[...tenantIds].map((tenantId) => ({
      statement: admitStatement(db, tenantId, parts.now()),
      notifies: true,
    })),
  ];
  let results: unknown[];
  try {
    results = await runBatch(
      db,
      steps.map(({ statement }) => statement),
    );
  } catch (error) {
    for (const { delivery } of together)
      log("error", "An attempt could not be recorded: its delivery is sent again in a minute", {
        tenantId: delivery.tenantId,
        deliveryId: delivery.id,
        error: describeError(error),
      });
    return;
  }
  const nowMs = parts.now();
  const again = attempted.flatMap(({ delivery, next }): DueMessage[] =>
    next.dueAtMs === null ? [] : [{ to: delivery, slow: next.slow, dueAtMs: next.dueAtMs }],
  );
  // The consumer of the fast queue passes on deliveries for slow receivers.
  const freed = steps.flatMap(({ notifies }, at): DueMessage[] =>
    notifies
      ? (results[at] as (DeliveryRef & { dueAtMs?: number })[]).map((to) => ({
          to,
          slow: false,
          dueAtMs: to.dueAtMs ?? nowMs,
        }))
      : [],
  );
  await notifyConsumers(parts, [...again, ...freed]);
}

function quiet(statement: Statement): Step {
  return { statement, notifies: false };
}

/**
 * Records the attempt and disables the webhook in one commit. Returns false and writes nothing if the webhook
 * has changed since it was loaded: the change may have fixed it, so the next delivery decides.
 */
async function recordAndDisable(
  result: Extract<Ended, { kind: "attempted" }>,
  reason: "gone" | "failing",
  parts: DeliverParts,
): Promise<boolean> {
  const { webhook: before } = result;
  const nowMs = parts.now();
  const db = openDb(parts.env.DB);
  const { limits } = await currentStanding(parts.env, nowMs);
  const call = serviceCall({
    env: parts.env,
    name: "webhooks",
    nowMs,
    requestId: result.attempt.id,
    db,
    newId: parts.newId,
    after: parts.after,
  });
  const changes = {
    state: "DISABLED",
    disabledReason: reason,
    ...closedCircuit,
    version: before.version + 1,
    updatedAtMs: nowMs,
  } as const;
  const resource = { tenantId: before.tenantId, type: "webhook", id: before.id };
  try {
    await call.commit(undefined, [
      call.requireVersion(webhooks, before),
      ...[
        ...attemptStatements(db, [result], { limits, nowMs }),
        ...healthStatements(db, result),
      ].map((statement) => call.write(before.tenantId, statement)),
      setWebhook(call, before, changes),
      audit("webhook.disable", resource, { before, after: { ...before, ...changes } }),
      event("webhook.disabled", { ...resource, sequence: changes.version }, { reason }),
    ]);
    return true;
  } catch (error) {
    if (!isConflict(error))
      log("error", "A webhook could not be disabled", {
        webhookId: before.id,
        error: describeError(error),
      });
    return false;
  }
}
