import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { webhooks } from "#schema/webhooks.ts";
import { getWebhook } from "./read-webhooks.ts";
import { removeWebhook } from "./store.ts";
import { tagged } from "./webhook.ts";

/** Its deliveries stay until they are pruned; the consumer cancels due ones. */
export async function deleteWebhook(call: Call, id: string): Promise<void> {
  const before = await getWebhook(call, id);
  call.expectVersion(tagged(before, call.now).version);
  await call.commit(undefined, [
    call.requireVersion(webhooks, before),
    removeWebhook(call, before),
    audit("webhook.delete", { tenantId: before.tenantId, type: "webhook", id }, { before }),
  ]);
}
