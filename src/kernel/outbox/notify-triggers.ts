import type { Bindings } from "#kernel/bindings.ts";
import { sendAll } from "#platform/send-all.ts";

/** The content of a trigger notification: the ids of a due trigger. */
export interface TriggerRef {
  tenantId: string;
  instanceId: string;
  id: string;
}

/** Notifies the triggers queue. D1 holds which triggers are due, so the sweep repeats a lost notification. */
export async function notifyTriggers(
  env: Pick<Bindings, "TRIGGERS_QUEUE">,
  triggers: readonly TriggerRef[],
): Promise<void> {
  await sendAll(
    env.TRIGGERS_QUEUE,
    triggers.map(({ tenantId, instanceId, id }) => ({ body: { tenantId, instanceId, id } })),
  );
}
