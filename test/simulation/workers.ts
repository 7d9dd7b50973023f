/** What the service's Worker does without a request: the consumers of its queues, and its sweeps. */
import { consumeTriggers } from "#areas/triggers/consume-triggers.ts";
import { sweepTriggers } from "#areas/triggers/sweep-triggers.ts";
import { deliverFrom } from "#areas/webhooks/delivery/deliver.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { recordDeadLetters } from "#kernel/dead-letters/dead-letters.ts";
import { consumeDeployments } from "#orchestrator/runner/consume-deployments.ts";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { sweepRestored } from "#orchestrator/runner/sweep-restored.ts";
import type { World } from "./kinds.ts";

type Consumer = (batch: MessageBatch, env: Bindings, context: ExecutionContext) => Promise<void>;

const consumers: Readonly<Record<string, Consumer>> = {
  "control-deployments": consumeDeployments,
  "control-triggers": consumeTriggers,
  "control-webhooks": deliverFrom("fast"),
  "control-webhooks-slow": deliverFrom("slow"),
  "control-dead-letters": recordDeadLetters,
};

/** Hands one message to the consumer of its queue. */
export async function consume(
  { queue, body, attempt }: { queue: string; body: unknown; attempt: number },
  env: Bindings,
): Promise<{ retryAfterMs?: number }> {
  let retryAfterMs: number | undefined;
  const message = {
    id: "message",
    body,
    attempts: attempt,
    timestamp: new Date(Date.now()),
    ack: () => undefined,
    retry: ({ delaySeconds = 0 } = {}) => {
      retryAfterMs = delaySeconds * 1000;
    },
  };
  const batch = { queue, messages: [message] } as unknown as MessageBatch;
  const context = {
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
  } as unknown as ExecutionContext;
  await consumers[queue]?.(batch, env, context);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** The sweeps that find lost work; the others have nothing to do in a simulation. */
export function sweep(env: Bindings, { bound, listens }: Partial<World>): void {
  const nowMs = Date.now();
  const sweeps = [
    sweepDeployments,
    sweepRestored,
    ...(bound ? [sweepTriggers] : []),
    ...(listens ? [sweepWebhooks] : []),
  ];
  for (const one of sweeps) void one(env, nowMs).catch(() => undefined);
}
