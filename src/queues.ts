/** Which consumer takes which queue. */
import { consumeTriggers } from "#areas/instances/consume-triggers.ts";
import { deliverFrom } from "#areas/webhooks/deliver.ts";
import { consumeDeployments } from "#orchestrator/consume.ts";
import type { Bindings } from "#platform/bindings.ts";
import { recordDeadLetters } from "#platform/dead-letters.ts";

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
