/** Sweeps and processes a tenant's due triggers at a given time. */
import { env } from "cloudflare:workers";
import { processTriggers } from "#areas/triggers/consume-triggers.ts";
import { sweepTriggers } from "#areas/triggers/sweep-triggers.ts";
import type { Bindings } from "#kernel/bindings.ts";

export interface RunMessage {
  id: string;
  body: { tenantId: string };
  ack: () => void;
  retry: () => void;
}

/** The messages that a sweep at this time sends for the tenant's triggers; other tenants are not affected. */
export async function dueMessagesOf(
  { tenantId }: { tenantId: string },
  nowMs: number,
): Promise<RunMessage[]> {
  const messages: RunMessage[] = [];
  const sendBatch = async (batch: Iterable<{ body: RunMessage["body"] }>) => {
    for (const { body } of batch)
      if (body.tenantId === tenantId)
        messages.push({
          id: crypto.randomUUID(),
          body,
          ack: () => undefined,
          retry: () => undefined,
        });
  };
  const TRIGGERS_QUEUE = { sendBatch } as unknown as Bindings["TRIGGERS_QUEUE"];
  await sweepTriggers({ ...env, TRIGGERS_QUEUE }, nowMs);
  return messages;
}

/** A sweep at this time whose messages are processed at once. */
export async function sweep(
  tenant: { tenantId: string },
  nowMs: number,
  bindings: Bindings = env,
): Promise<void> {
  await processTriggers(await dueMessagesOf(tenant, nowMs), bindings, () => nowMs);
}
