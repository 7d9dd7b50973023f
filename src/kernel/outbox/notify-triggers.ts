import type { Bindings } from "#kernel/bindings.ts";

/** The bell for a trigger that is due: which one, and whose. */
export interface TriggerRef {
  tenantId: string;
  instanceId: string;
  id: string;
}

/** A queue takes so many messages at once. */
const MAX_MESSAGES = 100;

/** Has the triggers looked at soon. That they are due stands in D1: a bell that is lost, the sweep repeats. */
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
