import type * as z from "zod";
import { deploymentView, type DeploymentView } from "#areas/deployment-records/public.ts";
import type { Waiting } from "#http/long-answers/held-answer.ts";
import { untilEnded } from "#orchestrator/client/ask-runner.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { getDeployment } from "./read-deployments.ts";

/**
 * D1 can lag behind the runner for a moment after an approval or cancel; the row is read at most this many
 * times.
 */
const LOOKS = 5;
const LOOK_AGAIN_MS = 100;

/**
 * The deployment once it has ended or waits for approval, or after `waitMs`. Waits on the runner, then reads D1 in one
 * round trip or a few.
 */
export async function awaitDeployment(
  { env, renew, atMostMs }: Waiting,
  answered: z.output<typeof DeploymentView>,
  waitMs: number,
): Promise<z.input<typeof DeploymentView>> {
  if (hasStopped(answered)) return answered;
  const untilMs = Date.now() + waitMs;
  const of = { deploymentId: answered.id, instanceId: answered.instanceId };
  for (let looks = 0; ;) {
    const leftMs = Math.max(0, untilMs - Date.now());
    const ended = await untilEnded(env, of, Math.min(leftMs, atMostMs));
    if (ended) looks += 1;
    const call = await renew();
    const deployment = await getDeployment(call, answered.id);
    if (hasStopped(deployment) || looks === LOOKS || (!ended && Date.now() >= untilMs))
      return deploymentView(deployment, call);
    if (ended) await scheduler.wait(LOOK_AGAIN_MS);
  }
}

function hasStopped({ state }: Pick<z.output<typeof DeploymentView>, "state">): boolean {
  return state === "AWAITING_APPROVAL" || isFinal(state);
}
