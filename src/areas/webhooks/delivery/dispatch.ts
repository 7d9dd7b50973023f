import { formatBody } from "#areas/webhooks/chat/format-body.ts";
import {
  type Delivery,
  type Webhook,
  secretPlace,
  signingSecrets,
} from "#areas/webhooks/webhook.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { writeDataPoint } from "#kernel/data-points.ts";
import { readOwnHosts } from "#kernel/hosts/own-hosts.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { HOPS_HEADER } from "#platform/hops.ts";
import { type Trace, traceHeaders, withoutState } from "#platform/trace.ts";
import { afterAttempt } from "./after-attempt.ts";
import type { Attempted, Claimed } from "./claim.ts";
import type { DeliverParts } from "./deliver-parts.ts";
import { type Sent, USER_AGENT, send } from "./send.ts";
import { signatureHeader } from "./sign.ts";
import { guardSettings, guardUrl } from "./url-guard.ts";

/** The result of one claimed delivery, to be recorded. */
export type Ended = ({ kind: "attempted" } & Attempted) | { kind: "canceled"; delivery: Delivery };

/** A fault: the service failed, and nothing was sent. */
export type Result = Ended | { kind: "fault"; delivery: Delivery; error: unknown };

/** Makes one attempt, or cancels a delivery that cannot be sent. Never throws. */
export async function dispatch(claimed: Claimed, parts: DeliverParts): Promise<Result> {
  const { delivery, webhook, payload, facts, hops } = claimed;
  if (webhook === undefined || webhook.state === "DISABLED" || payload === undefined)
    return { kind: "canceled", delivery };
  try {
    const startedAtMs = parts.now();
    const ownHosts = await readOwnHosts(parts.env, startedAtMs);
    const guarded = guardUrl(webhook.url, guardSettings(parts.env, ownHosts));
    const body = formatBody(webhook.format, payload, facts);
    const headers = guarded.ok
      ? await signedHeaders(
          webhook,
          { id: delivery.eventId, body, trace: traceTold(claimed), hops },
          startedAtMs,
          parts.env,
        )
      : {};
    const sent: Sent = guarded.ok
      ? await send({ url: guarded.url, headers, body }, parts)
      : {
          status: null,
          errorClass: "url_not_allowed",
          durationMs: 0,
          answer: guarded.reason,
          answerCut: false,
        };
    const number = delivery.attempts + 1;
    const nowMs = parts.now();
    const next = afterAttempt({ attempts: number, manual: delivery.manual }, sent, {
      nowMs,
      failingSinceMs: webhook.failingSinceMs ?? nowMs,
      random: parts.random(),
    });
    const { status, errorClass, durationMs, answer, answerCut } = sent;
    writeDataPoint(parts.env, () => ({
      kind: "delivery",
      outcome: errorClass ?? "delivered",
      state: next.state,
      status: status ?? 0,
      attempt: number,
      durationMs,
    }));
    return {
      kind: "attempted",
      delivery,
      webhook,
      next,
      attempt: {
        tenantId: delivery.tenantId,
        id: parts.newId(),
        webhookId: webhook.id,
        deliveryId: delivery.id,
        number,
        startedAtMs,
        durationMs,
        status,
        errorClass,
        requestHeaders: headers,
        answer,
        answerCut,
        nextTryAtMs: next.dueAtMs,
      },
    };
  } catch (error) {
    return { kind: "fault", delivery, error };
  }
}

/** Platform webhooks get tenants' events, but not the trace state that a tenant's tracing adds. */
function traceTold({ delivery, trace }: Claimed): Trace | undefined {
  const isOwn = delivery.eventTenantId === delivery.tenantId;
  return trace === undefined || isOwn ? trace : withoutState(trace);
}

async function signedHeaders(
  webhook: Webhook,
  message: { id: string; body: string; trace: Trace | undefined; hops: number },
  nowMs: number,
  env: Bindings,
): Promise<Record<string, string>> {
  const sealer = sealerFrom(env.SEALING_KEYS);
  const secrets = await Promise.all(
    signingSecrets(webhook, nowMs).map((sealed) => sealer.open(sealed, secretPlace(webhook))),
  );
  const timestampSeconds = Math.floor(nowMs / 1000);
  return {
    "content-type": "application/json",
    "user-agent": USER_AGENT,
    ...traceHeaders(message.trace),
    [HOPS_HEADER]: String(message.hops + 1),
    "webhook-id": message.id,
    "webhook-timestamp": String(timestampSeconds),
    "webhook-signature": await signatureHeader(secrets, {
      id: message.id,
      timestampSeconds,
      body: message.body,
    }),
  };
}
