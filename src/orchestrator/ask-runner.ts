import type { Bindings } from "#platform/bindings.ts";
import type { LogPage, ResourceSummary } from "./instance-runner.ts";

/** A page of a deployment's log, from the runner that keeps it; `waitMs`: wait so long for something new; `over`: D1 calls it ended. */
export async function readLog(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
  afterSeq: number,
  options: { limit?: number; waitMs?: number; over?: boolean } = {},
): Promise<LogPage> {
  const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(of.instanceId));
  return runner.readLog(of.deploymentId, afterSeq, options);
}

/** A runner that has just died is back soon; it is asked again after so long. */
const ASK_AGAIN_MS = 250;

/**
 * Waits up to `waitMs` until the deployment has ended or waits for approval, by its runner. False: the time is up.
 * A runner that dies meanwhile is asked again.
 */
export async function untilSettled(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
  waitMs: number,
): Promise<boolean> {
  const untilMs = Date.now() + waitMs;
  for (;;) {
    try {
      const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(of.instanceId));
      return await runner.untilSettled(of.deploymentId, Math.max(0, untilMs - Date.now()));
    } catch (error) {
      if (Date.now() + ASK_AGAIN_MS >= untilMs) throw error;
      await scheduler.wait(ASK_AGAIN_MS);
    }
  }
}

/** The cloud objects an instance holds now. */
export async function listResources(env: Bindings, instanceId: string): Promise<ResourceSummary[]> {
  return env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId)).listResources();
}
