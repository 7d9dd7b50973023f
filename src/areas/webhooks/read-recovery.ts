import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Recovery } from "#schema/webhooks.ts";
import { findRecovery } from "./recovery.ts";
import { findWebhook } from "./store.ts";

export async function getRecovery(call: Call, webhookId: string, id: string): Promise<Recovery> {
  const [, recovery] = await call.read(
    one(findWebhook(call, webhookId), "webhook"),
    one(findRecovery(call, webhookId, id), "recovery"),
  );
  return recovery;
}
