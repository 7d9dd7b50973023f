import type * as z from "zod";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Recovery } from "#schema/webhooks.ts";
import type { RecoverWebhookBody } from "./recovery-contract.ts";
import { findRunningRecovery, findStep, insertRecovery, takeStep } from "./recovery.ts";
import { findWebhook, tenantOf } from "./store.ts";
import { requireEnabled } from "./webhook.ts";

const LONGEST_MS = 14 * 24 * 60 * 60 * 1000;

/**
 * Repeats all failed deliveries in the range, once each. The commit that creates the recovery takes the first step; a
 * sweep takes the others. While a recovery is running, the same request answers with it and another range is refused:
 * in the overlap of two ranges, neither could count its deliveries.
 */
export async function recoverWebhook(
  call: Call,
  id: string,
  body: z.output<typeof RecoverWebhookBody>,
): Promise<Recovery> {
  const sinceMs = Date.parse(body.since);
  const untilNow = body.until === undefined || Date.parse(body.until) >= call.now;
  const untilMs = untilNow ? call.now : Date.parse(body.until ?? "");
  const range = { webhookId: id, sinceMs, untilMs, afterId: "" };
  const [webhook, [running], [looked], lost] = await call.read(
    one(findWebhook(call, id), "webhook"),
    findRunningRecovery(call, id),
    ...findStep(call, range, tenantOf(call, id)),
  );
  requireRange(call.now, sinceMs, untilMs);
  requireEnabled(webhook);
  if (running !== undefined) {
    const isSame =
      running.sinceMs === sinceMs &&
      (untilNow ? running.untilNow : !running.untilNow && running.untilMs === untilMs);
    if (isSame) return running;
    throw new ApiError(
      "invalid_state",
      `A recovery since ${timestamp(running.sinceMs)} is running. Wait until it has ended: GET /webhooks/${id}/recoveries/${running.id}.`,
    );
  }
  const { tenantId } = webhook;
  const recovery: Recovery = {
    ...range,
    tenantId,
    id: call.newId(),
    state: "RUNNING",
    untilNow,
    count: 0,
    version: 0,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const { after, writes } = takeStep(call, recovery, { looked, lost });
  const resource = { tenantId, type: "webhook", id };
  return call.commit(
    after,
    [insertRecovery(call, after), ...writes, audit("webhook.recover", resource, { after })],
    // Another request created one at the same time: run again and answer with that one.
    {
      "webhook_recoveries.webhook_id": new ApiError(
        "conflict",
        "A recovery was started at the same time. Try again.",
      ),
    },
  );
}

function requireRange(nowMs: number, sinceMs: number, untilMs: number): void {
  const fault = (pointer: string, detail: string) =>
    new ApiError("validation_failed", detail, {
      faults: [{ in: "body", pointer, code: "out_of_range", detail }],
    });
  if (sinceMs < nowMs - LONGEST_MS) throw fault("/since", "`since` must be at most 14 days ago.");
  if (sinceMs > nowMs) throw fault("/since", "`since` must not be in the future.");
  if (untilMs < sinceMs) throw fault("/until", "`until` must not be before `since`.");
}
