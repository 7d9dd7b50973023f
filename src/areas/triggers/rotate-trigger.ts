import { personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import {
  hookUrl,
  makeHookToken,
  makeSigningKey,
  type SignatureKind,
  signingKeyPlace,
} from "./hook.ts";
import { getTrigger } from "./read-triggers.ts";
import { setTrigger } from "./store.ts";

/** A trigger with the secrets that are shown only once. */
export type ShownTrigger = Trigger & { url?: string; shownSigningKey?: string };

/**
 * Gives an inbound trigger a new URL and, if its calls are signed, a new key. The old ones stop working at
 * once.
 */
export async function rotateTrigger(
  call: Call,
  instanceId: string,
  id: string,
): Promise<ShownTrigger> {
  const before = await getTrigger(call, instanceId, id);
  call.expectVersion(before.version);
  if (before.kind !== "inbound_webhook")
    throw new ApiError(
      "invalid_state",
      `Only an inbound_webhook trigger has a URL to rotate; this trigger is of the kind ${before.kind}.`,
    );
  const { secrets, shown } = await newHookSecrets(call, before);
  const changes = { ...secrets, setByPerson: personOf(call.actor) ?? null };
  const after = { ...before, ...changes, version: before.version + 1, updatedAtMs: call.now };
  return call.commit({ ...after, ...shown }, [
    call.requireVersion(triggers, before),
    setTrigger(call, before, changes),
    audit("trigger.rotate", { tenantId: before.tenantId, type: "trigger", id }, { before, after }),
  ]);
}

/** A new token and key, in their stored form and in the form shown once. */
export async function newHookSecrets(
  call: Call,
  trigger: Pick<Trigger, "id" | "tenantId" | "condition">,
): Promise<{
  secrets: Pick<Trigger, "tokenDigest" | "signingSecret">;
  shown: Pick<ShownTrigger, "url" | "shownSigningKey">;
}> {
  const token = makeHookToken();
  const kind = trigger.condition["signature"] as SignatureKind | undefined;
  const key = kind === undefined ? undefined : makeSigningKey(kind);
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  return {
    secrets: {
      tokenDigest: await digestHex(token),
      signingSecret: key === undefined ? null : await sealer.seal(key, signingKeyPlace(trigger)),
    },
    shown: { url: hookUrl(token), ...(key === undefined ? {} : { shownSigningKey: key }) },
  };
}
