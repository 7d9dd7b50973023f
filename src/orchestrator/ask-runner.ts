import type { Bindings } from "#platform/bindings.ts";
import type { LogPage, ResourceSummary } from "./instance-runner.ts";

/** A page of a deployment's log, from the runner that keeps it; `waitMs`: wait so long for something new. */
export async function readLog(
  env: Bindings,
  of: { deploymentId: string; instanceId: string },
  afterSeq: number,
  options: { limit?: number; waitMs?: number } = {},
): Promise<LogPage> {
  const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(of.instanceId));
  return runner.readLog(of.deploymentId, afterSeq, options);
}

/** The cloud objects an instance holds now. */
export async function listResources(env: Bindings, instanceId: string): Promise<ResourceSummary[]> {
  return env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId)).listResources();
}
