import type { Bindings } from "#kernel/bindings.ts";
import type { LogPage, LogQuery } from "#orchestrator/log/run-log.ts";
import type { InstanceRunner, RunStanding } from "#orchestrator/runner/instance-runner.ts";
import type { Reconciliation } from "#orchestrator/runner/projector.ts";
import type { ResourceSummary } from "#orchestrator/runner/resource-summary.ts";
import { askTwice } from "#platform/ask-twice.ts";

export type { LogPage, Reconciliation, ResourceSummary, RunStanding };

/** Delay before a failed request to a runner is repeated. */
const RETRY_AFTER_MS = 250;

function runnerOf(env: Bindings, instanceId: string): DurableObjectStub<InstanceRunner> {
  return env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId));
}

/** A page of a deployment's log, from the instance's runner. */
export async function readLog(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
  afterSeq: number,
  query: LogQuery = {},
): Promise<LogPage> {
  return askTwice(
    () => runnerOf(env, of.instanceId),
    (runner) => runner.readLog(of.deploymentId, afterSeq, query),
    RETRY_AFTER_MS,
  );
}

/**
 * Waits up to `waitMs` until the deployment has ended or waits for approval. False: the time is up. If the runner dies
 * meanwhile, the request is repeated.
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
      if (Date.now() + RETRY_AFTER_MS >= untilMs) throw error;
      await scheduler.wait(RETRY_AFTER_MS);
    }
  }
}

/**
 * The standing of a run. The request is not repeated: a caller that asks for many runs needs an early answer and can
 * ask again.
 */
export async function readStanding(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
): Promise<RunStanding> {
  return runnerOf(env, of.instanceId).standingOf(of.deploymentId);
}

/** The instance's current cloud objects. */
export async function listResources(env: Bindings, instanceId: string): Promise<ResourceSummary[]> {
  return askTwice(
    () => runnerOf(env, instanceId),
    (runner) => runner.listResources(),
    RETRY_AFTER_MS,
  );
}

/**
 * Makes the instance's runner compare D1 with its snapshots and write missing rows again; with `dryRun` none. Safe to
 * repeat.
 */
export async function reconcileRunner(
  env: Bindings,
  instanceId: string,
  how: { dryRun: boolean },
): Promise<Reconciliation> {
  return askTwice(
    () => runnerOf(env, instanceId),
    (runner) => runner.reconcile(how),
    RETRY_AFTER_MS,
  );
}
