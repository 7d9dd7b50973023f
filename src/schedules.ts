/** What each minute brings: every sweep repairs what a lost message or a crash left undone. */
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import { sweepDeployments } from "#orchestrator/sweep.ts";
import type { Bindings } from "#platform/bindings.ts";
import { forgetAnswers } from "#platform/http/forget-answers.ts";

export type Sweep = (env: Bindings, nowMs: number) => Promise<void>;

export const sweeps: Readonly<Record<string, Sweep>> = {
  deployments: sweepDeployments,
  webhooks: sweepWebhooks,
  answers: forgetAnswers,
};
