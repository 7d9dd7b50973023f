/**
 * Consumes the deployments queue. Each message names a deployment, and the consumer notifies the runner of its
 * instance.
 *
 * Guarantee: duplicate and late messages are safe, because the runner reads everything it needs from D1. If a
 * notification fails, the queue retries it; if the retries run out or this Worker dies, the sweep notifies the runner.
 */
import * as z from "zod";
import type { Bindings } from "#kernel/bindings.ts";
import { recordLostMessages } from "#kernel/dead-letters/dead-letters.ts";
import { describeError, log } from "#platform/log.ts";

const RunMessage = z.object({ deploymentId: z.uuid(), tenantId: z.string(), instanceId: z.uuid() });

export async function consumeDeployments(
  { messages, queue }: MessageBatch,
  env: Bindings,
  context?: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const unreadable: Message[] = [];
  await Promise.all(
    messages.map(async (message) => {
      const { data: run } = RunMessage.safeParse(message.body);
      if (run === undefined) {
        unreadable.push(message);
        return;
      }
      try {
        const { INSTANCE_RUNNER } = env;
        await INSTANCE_RUNNER.get(INSTANCE_RUNNER.idFromName(run.instanceId)).notify(run);
        message.ack();
      } catch (error) {
        log("warn", "A runner could not be notified", {
          deploymentId: run.deploymentId,
          error: describeError(error),
        });
        message.retry();
      }
    }),
  );
  const after = (work: Promise<unknown>): void => context?.waitUntil(work);
  await recordLostMessages(unreadable, { env, queue, nowMs: Date.now(), after });
}
