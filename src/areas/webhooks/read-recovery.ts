import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
import type { Recovery } from "#schema/webhooks.ts";
import { findRecovery } from "./recovery.ts";
import { findWebhook } from "./store.ts";

export async function getRecovery(call: Call, webhookId: string, id: string): Promise<Recovery> {
  const [[webhook], [recovery]] = await call.read(
    findWebhook(call, webhookId),
    findRecovery(call, webhookId, id),
  );
  if (webhook === undefined) throw notFound("webhook");
  if (recovery === undefined) throw notFound("recovery");
  return recovery;
}
