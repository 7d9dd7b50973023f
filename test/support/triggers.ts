/** The clock of a tenant's triggers, set by hand: what is due then is rung for, and taken up. */
import { env } from "cloudflare:workers";
import { takeUpAll } from "#areas/triggers/consume-triggers.ts";
import { sweepTriggers } from "#areas/triggers/sweep-triggers.ts";
import type { Bindings } from "#kernel/bindings.ts";

export interface RunMessage {
  id: string;
  body: { tenantId: string };
  ack: () => void;
  retry: () => void;
}

/** What a sweep at that time rings for, of what is the tenant's: nobody else's time is moved. */
export async function bellsOf(
  { tenantId }: { tenantId: string },
  nowMs: number,
): Promise<RunMessage[]> {
  const bells: RunMessage[] = [];
  const sendBatch = async (messages: Iterable<{ body: RunMessage["body"] }>) => {
    for (const { body } of messages)
      if (body.tenantId === tenantId)
        bells.push({ id: crypto.randomUUID(), body, ack: () => undefined, retry: () => undefined });
  };
  const TRIGGERS_QUEUE = { sendBatch } as unknown as Bindings["TRIGGERS_QUEUE"];
  await sweepTriggers({ ...env, TRIGGERS_QUEUE }, nowMs);
  return bells;
}

/** A sweep at that time, and its bells heard at once. */
export async function sweep(
  tenant: { tenantId: string },
  nowMs: number,
  bindings: Bindings = env,
): Promise<void> {
  await takeUpAll(await bellsOf(tenant, nowMs), bindings, () => nowMs);
}
