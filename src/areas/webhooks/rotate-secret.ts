import { DEFAULT_OVERLAP_SECONDS } from "#http/schemas.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { webhooks } from "#schema/webhooks.ts";
import { makeSigningSecret } from "./delivery/sign.ts";
import { getWebhook } from "./read-webhooks.ts";
import { setWebhook } from "./store.ts";
import { oldSecretsAfterRotation, secretPlace, tagged, type TaggedWebhook } from "./webhook.ts";

export async function rotateSecret(
  call: Call,
  id: string,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): Promise<TaggedWebhook & { plainSecret: string }> {
  const before = await getWebhook(call, id);
  call.expectVersion(tagged(before, call.now).version);
  const plainSecret = makeSigningSecret();
  const changes = {
    secret: await sealerFrom(call.env.SEALING_KEYS).seal(plainSecret, secretPlace(before)),
    oldSecrets: oldSecretsAfterRotation(before, call.now, overlapSeconds * 1000),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const after = { ...before, ...changes };
  const resource = { tenantId: before.tenantId, type: "webhook", id };
  return call.commit({ ...tagged(after, call.now), plainSecret }, [
    call.requireVersion(webhooks, before),
    setWebhook(call, before, changes),
    audit("webhook.rotate_secret", resource, { before, after }),
    event("webhook.secret_rotated", { ...resource, sequence: after.version }),
  ]);
}
