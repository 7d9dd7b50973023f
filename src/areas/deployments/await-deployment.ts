import type * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { untilEnded } from "#orchestrator/client/ask-runner.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import type { DeploymentView } from "./contract.ts";
import { getDeployment } from "./read-deployments.ts";
import { deploymentView } from "./view.ts";

/**
 * D1 can lag behind the runner for a moment after an approval or cancel; the row is read at most this many
 * times.
 */
const LOOKS = 5;
const LOOK_AGAIN_MS = 100;

/**
 * The deployment when it has ended or waits for approval, or as it is after `waitMs`. Waits on the runner,
 * then reads D1: one round trip, at most five.
 */
export async function awaitDeployment(
  call: Call,
  answered: z.output<typeof DeploymentView>,
  waitMs: number,
): Promise<z.input<typeof DeploymentView>> {
  if (hasStopped(answered)) return answered;
  const untilMs = Date.now() + waitMs;
  const of = { deploymentId: answered.id, instanceId: answered.instanceId };
  for (let looks = 1; ; looks += 1) {
    const ended = await untilEnded(call.env, of, Math.max(0, untilMs - Date.now()));
    const deployment = await getDeployment(call, answered.id);
    if (!ended || hasStopped(deployment) || looks === LOOKS)
      return deploymentView(deployment, call);
    await scheduler.wait(LOOK_AGAIN_MS);
  }
}

function hasStopped({ state }: Pick<z.output<typeof DeploymentView>, "state">): boolean {
  return state === "AWAITING_APPROVAL" || isFinal(state);
}
