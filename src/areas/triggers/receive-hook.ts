import { sql } from "drizzle-orm";
import { currentStanding } from "#areas/license/public.ts";
import { countTenantChange, enforceRateLimit } from "#http/rate-limit.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { isIdempotencyKey, repetitionOf } from "#kernel/call/idempotency.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { enforceChangeLimits } from "#kernel/limits/change-limits.ts";
import { notifyTriggers } from "#kernel/outbox/notify-triggers.ts";
import { constantTimeEqual, digestHex } from "#platform/crypto/digest.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { HOPS_HEADER, parseHops } from "#platform/hops.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import { isHookToken, isSigned, type SignatureKind, signingKeyPlace } from "./hook.ts";
import { MAX_HOOK_HOPS } from "./trigger-kinds.ts";

export interface HookRequest {
  token: string;
  header: (name: string) => string | undefined;
  body: Uint8Array;
}

/** Headers in which senders identify a call; a repeated call has the same value. */
const deliveryHeaders = ["webhook-id", "x-github-delivery"];

/**
 * Makes the trigger with this token due and notifies its consumer; the trigger shows the result. Several calls before
 * it is processed count once. A caller without a valid token cannot learn whether the trigger exists. A call from a
 * webhook of this service carries the length of its chain (decision 0028).
 */
export async function receiveHook(call: Call, request: HookRequest): Promise<{ accepted: true }> {
  const accepted = { accepted: true } as const;
  const { token, header } = request;
  if (!isHookToken(token)) throw notFound("hook");
  const digest = await digestHex(token);
  const delivery = deliveryHeaders.map(header).find((id) => id !== undefined);
  const repetition =
    delivery === undefined || !isIdempotencyKey(delivery)
      ? undefined
      : repetitionOf(
          {
            principal: "public",
            operation: `hook ${digest}`,
            key: delivery,
            bodyDigest: "",
            now: call.now,
          },
          () => ({ status: 202, headers: {}, body: JSON.stringify(accepted) }),
          (body) => body,
        );
  const [[trigger], known] = await call.read(
    findHook(call, digest),
    repetition === undefined ? call.db.all(sql`SELECT 1 WHERE 0`) : repetition.find(call.db),
  );
  if (trigger === undefined || !constantTimeEqual(trigger.tokenDigest ?? "", digest))
    throw notFound("hook");
  if (call.env.RATE_LIMITS !== "off")
    await enforceRateLimit(call.env, `hook:${digest}`, call.now, () => undefined);
  await requireSigned(call, trigger, request);
  await repetition?.replay(known);
  const { id, tenantId, instanceId } = trigger;
  if (call.env.RATE_LIMITS !== "off") await countTenantChange(call.env, tenantId);
  call.actAs({ kind: "system", name: "hooks" });
  const entry = audit("trigger.call", { tenantId, type: "trigger", id }, {});
  const { limits } = await currentStanding(call.env, call.now);
  const stored = (await repetition?.store(call.db, accepted, true)) ?? [];
  return call.commit(
    accepted,
    [
      ...enforceChangeLimits(entry, limits, call.now),
      ...stored.map((statement) => call.write(null, statement)),
      call.write(
        tenantId,
        call.db
          .update(triggers)
          .set({
            nextFireAtMs: call.now,
            hops: sql`nullif(max(coalesce(${triggers.hops}, 0), ${parseHops(header(HOPS_HEADER), MAX_HOOK_HOPS)}), 0)`,
            // A consumer that is processing the trigger now must fail and start again: it has not seen this call.
            version: sql`${triggers.version} + 1`,
            updatedAtMs: call.now,
          })
          .where(
            sql`${triggers.id} = ${id} AND ${triggers.tenantId} = ${tenantId}
            AND ${triggers.enabled} = 1 AND ${triggers.tokenDigest} = ${digest}`,
          ),
      ),
      entry,
      { write: "notify", send: (env) => notifyTriggers(env, [{ tenantId, instanceId, id }]) },
    ],
    {
      "idempotency_keys.principal": new ApiError(
        "conflict",
        "The same call was received twice at the same time. Try again.",
      ),
    },
  );
}

/** The enabled trigger with this token. */
function findHook(call: Call, digest: string) {
  return call.db
    .select()
    .from(triggers)
    .where(
      sql`token_digest IS NOT NULL AND ${triggers.tokenDigest} = ${digest} AND ${triggers.enabled} = 1
        AND ${triggers.tenantId} IS NOT NULL`,
    );
}

async function requireSigned(
  call: Call,
  trigger: Trigger,
  { header, body }: HookRequest,
): Promise<void> {
  const { signingSecret, condition } = trigger;
  if (signingSecret === null) return;
  const key = await sealerFrom(call.env.SEALING_KEYS).open(signingSecret, signingKeyPlace(trigger));
  const kind = condition["signature"] as SignatureKind;
  if (!(await isSigned(kind, key, { header, body, nowMs: call.now })))
    throw new ApiError(
      "unauthenticated",
      "The call's signature is missing, wrong or too old. Sign it with the trigger's signing key.",
    );
}
