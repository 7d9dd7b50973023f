/**
 * The doorbell: a message names a deployment, and its instance's runner is rung. Rung twice or late, the runner
 * finds nothing new; if ringing fails the queue repeats it, and after that the sweep does.
 */
import * as z from "zod";
import type { Bindings } from "#platform/bindings.ts";
import { describeError, log } from "#platform/log.ts";

const Message = z.object({ deploymentId: z.uuid(), tenantId: z.string(), instanceId: z.uuid() });

export async function consumeDeployments(batch: MessageBatch, env: Bindings): Promise<void> {
  await Promise.all(
    batch.messages.map(async (message) => {
      const parsed = Message.safeParse(message.body);
      if (!parsed.success) {
        log("error", "A message on the deployments queue is not one", { messageId: message.id });
        message.ack();
        return;
      }
      try {
        const { INSTANCE_RUNNER } = env;
        await INSTANCE_RUNNER.get(INSTANCE_RUNNER.idFromName(parsed.data.instanceId)).ring(
          parsed.data,
        );
        message.ack();
      } catch (error) {
        log("warn", "A runner could not be rung", {
          deploymentId: parsed.data.deploymentId,
          error: describeError(error),
        });
        message.retry();
      }
    }),
  );
}
