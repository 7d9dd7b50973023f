import type * as z from "zod";
import { enforcePlanLimit, tenantOfNew } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { PLATFORM } from "#platform/ids.ts";
import { folded } from "#platform/text/folded.ts";
import { webhooks } from "#schema/webhooks.ts";
import { requireAllowedUrl } from "./allowed-url.ts";
import type { CreateWebhookBody } from "./contract.ts";
import { makeSigningKey } from "./delivery/sign.ts";
import { insertWebhook, belowWebhookLimit } from "./store.ts";
import { closedCircuit, secretPlace, type Webhook } from "./webhook.ts";

/**
 * Only this result has `plainSecret`; the stored secret is sealed. Null: a private key, which never leaves the service.
 */
export interface SecretWebhook extends Webhook {
  plainSecret: string | null;
}

export async function createWebhook(
  call: Call,
  body: z.output<typeof CreateWebhookBody>,
): Promise<SecretWebhook> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  const isAllowed = requireAllowedUrl(call, body.url);
  const id = call.newId();
  const { secret, publicKey } = await makeSigningKey(body.signature);
  const webhook: Webhook = {
    id,
    tenantId,
    url: body.url,
    description: body.description,
    searchText: folded(body.description),
    labels: body.labels,
    events: body.events,
    format: body.format,
    state: "ENABLED",
    disabledReason: null,
    secret: await sealerFrom(call.env.SEALING_KEYS).seal(secret, secretPlace({ tenantId, id })),
    secretCreatedAtMs: call.now,
    publicKey,
    oldSecrets: [],
    failingSinceMs: null,
    failingEventId: null,
    slow: false,
    ...closedCircuit,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "webhook", id };
  return call.commit({ ...webhook, plainSecret: publicKey === null ? secret : null }, [
    ...(tenantId === PLATFORM
      ? [call.require("quota_exceeded", belowWebhookLimit(tenantId))]
      : await enforcePlanLimit(call, "webhooks", tenantId, webhooks)),
    isAllowed,
    insertWebhook(call, webhook),
    audit("webhook.create", resource, { after: webhook }),
  ]);
}
