import type { Bindings } from "#kernel/bindings.ts";

/** The content of a trigger notification: the ids of a due trigger. */
export interface TriggerRef {
  tenantId: string;
  instanceId: string;
  id: string;
}

/** Limit of Cloudflare Queues per `sendBatch`. */
const MAX_MESSAGES = 100;

/** Notifies the triggers queue. D1 holds which triggers are due, so the sweep repeats a lost notification. */
export async function notifyTriggers(
  env: Pick<Bindings, "TRIGGERS_QUEUE">,
  triggers: readonly TriggerRef[],
): Promise<void> {
  for (let at = 0; at < triggers.length; at += MAX_MESSAGES)
    await env.TRIGGERS_QUEUE.sendBatch(
      triggers
        .slice(at, at + MAX_MESSAGES)
        .map(({ tenantId, instanceId, id }) => ({ body: { tenantId, instanceId, id } })),
    );
}
