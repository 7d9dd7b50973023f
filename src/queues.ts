/** The consumer of each queue. */
import { consumeTriggers } from "#areas/triggers/consume-triggers.ts";
import { deliverFrom } from "#areas/webhooks/delivery/deliver.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { recordDeadLetters } from "#kernel/dead-letters/dead-letters.ts";
import { consumeDeployments } from "#orchestrator/runner/consume-deployments.ts";

export type Consumer = (
  batch: MessageBatch,
  env: Bindings,
  context: ExecutionContext,
) => Promise<void>;

export const consumers: Readonly<Record<string, Consumer>> = {
  "control-deployments": consumeDeployments,
  "control-triggers": consumeTriggers,
  "control-webhooks": deliverFrom("fast"),
  "control-webhooks-slow": deliverFrom("slow"),
  "control-dead-letters": recordDeadLetters,
};
