import { writeDataPoint } from "#kernel/data-points.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { createdAtMs } from "#platform/ids.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";

/** Writes the data point of a deployment that D1 shows as ended. */
export function noteEnd(
  { env, store }: Pick<RunnerParts, "env" | "store">,
  deploymentId: string,
  { state, atMs }: { state: DeploymentState; atMs: number },
): void {
  writeDataPoint(env, () => {
    const of = store.snapshots.aboutOf(deploymentId) ?? specOf(store, deploymentId);
    return {
      kind: "deployment",
      operation: of?.operation ?? "unknown",
      state,
      provider: of?.provider ?? "unknown",
      durationMs: Math.max(0, atMs - createdAtMs(deploymentId)),
    };
  });
}

/** The operation and target of the run; undefined: it ended before it was loaded. */
function specOf(store: RunnerParts["store"], deploymentId: string) {
  const spec = store.runs.readable(deploymentId)?.spec;
  return spec == null
    ? undefined
    : { operation: spec.operation, provider: spec.inputs.target.provider };
}
