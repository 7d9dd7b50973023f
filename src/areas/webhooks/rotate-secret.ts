import { DEFAULT_OVERLAP_SECONDS } from "#http/schemas.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { timestamp } from "#platform/timestamp.ts";
import { webhooks, type WebhookSignature } from "#schema/webhooks.ts";
import type { SecretWebhook } from "./create-webhook.ts";
import { makeSigningKey } from "./delivery/sign.ts";
import { getWebhook } from "./read-webhooks.ts";
import { setWebhook } from "./store.ts";
import {
  oldSecretsAfterRotation,
  secretPlace,
  secretsEndedBy,
  signatureKind,
  tagged,
  type TaggedWebhook,
} from "./webhook.ts";

export interface RotatedWebhook extends TaggedWebhook, Pick<SecretWebhook, "plainSecret"> {
  /** The creation times of the secrets that no longer sign. */
  endedSecretsMs: readonly number[];
}

/** `signature`: the new secret's kind. Absent: the present kind. */
export async function rotateSecret(
  call: Call,
  id: string,
  options: { overlapSeconds?: number | undefined; signature?: WebhookSignature | undefined },
): Promise<RotatedWebhook> {
  const before = await getWebhook(call, id);
  call.expectVersion(tagged(before, call.now).version);
  const { overlapSeconds = DEFAULT_OVERLAP_SECONDS, signature = signatureKind(before) } = options;
  const { secret, publicKey } = await makeSigningKey(signature);
  const changes = {
    secret: await sealerFrom(call.env.SEALING_KEYS).seal(secret, secretPlace(before)),
    secretCreatedAtMs: call.now,
    publicKey,
    oldSecrets: oldSecretsAfterRotation(before, call.now, overlapSeconds * 1000),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const after = { ...before, ...changes };
  const resource = { tenantId: before.tenantId, type: "webhook", id };
  const plainSecret = publicKey === null ? secret : null;
  const endedSecretsMs = secretsEndedBy(before, after, call.now);
  const endedSecrets = endedSecretsMs.map(timestamp);
  const { tenantId } = before;
  return call.commit({ ...tagged(after, call.now), plainSecret, endedSecretsMs }, [
    call.requireVersion(webhooks, before),
    setWebhook(call, before, changes),
    audit("webhook.rotate_secret", resource, { before, after }),
    ...endedSecrets.map((madeAt) =>
      audit("webhook.end_secret", { tenantId, type: "webhook_secret", id: `${id}/${madeAt}` }, {}),
    ),
    event("webhook.secret_rotated", { ...resource, sequence: after.version }, { endedSecrets }),
  ]);
}
