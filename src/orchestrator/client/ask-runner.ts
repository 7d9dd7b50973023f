import type { Bindings } from "#kernel/bindings.ts";
import type { LogPage, LogQuery } from "#orchestrator/log/run-log.ts";
import type { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import type { ResourceSummary } from "#orchestrator/runner/resource-summary.ts";

export type { LogPage, ResourceSummary };

/** A runner that has just died, by a new version of the service for example, is back soon: it is asked again after so long. */
const ASK_AGAIN_MS = 250;

/** Always a fresh stub: one that saw its object die is broken. */
function runnerOf(env: Bindings, instanceId: string): DurableObjectStub<InstanceRunner> {
  return env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId));
}

/** A page of a deployment's log, from the runner that keeps it. */
export async function readLog(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
  afterSeq: number,
  query: LogQuery = {},
): Promise<LogPage> {
  return askTwice(() => runnerOf(env, of.instanceId).readLog(of.deploymentId, afterSeq, query));
}

/**
 * Waits up to `waitMs` until the deployment has ended or waits for approval, by its runner. False: the time is up.
 * A runner that dies meanwhile is asked again.
 */
export async function untilEnded(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
  waitMs: number,
): Promise<boolean> {
  const untilMs = Date.now() + waitMs;
  for (;;) {
    try {
      const leftMs = Math.max(0, untilMs - Date.now());
      return await runnerOf(env, of.instanceId).untilEnded(of.deploymentId, leftMs);
    } catch (error) {
      if (Date.now() + ASK_AGAIN_MS >= untilMs) throw error;
      await scheduler.wait(ASK_AGAIN_MS);
    }
  }
}

/** The cloud objects an instance holds now. */
export async function listResources(env: Bindings, instanceId: string): Promise<ResourceSummary[]> {
  return askTwice(() => runnerOf(env, instanceId).listResources());
}

async function askTwice<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch {
    await scheduler.wait(ASK_AGAIN_MS);
    return ask();
  }
}
