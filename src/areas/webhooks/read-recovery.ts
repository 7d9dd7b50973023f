import type { Call } from "#platform/call.ts";
import { notFound } from "#platform/errors.ts";
import { findRecovery } from "./recovery.ts";
import { findWebhook } from "./store.ts";
import type { Recovery } from "./tables.ts";

export async function getRecovery(call: Call, webhookId: string, id: string): Promise<Recovery> {
  const [[webhook], [recovery]] = await call.read(
    findWebhook(call, webhookId),
    findRecovery(call, webhookId, id),
  );
  if (webhook === undefined) throw notFound("webhook");
  if (recovery === undefined) throw notFound("recovery");
  return recovery;
}
