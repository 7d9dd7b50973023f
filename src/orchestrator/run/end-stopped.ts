/**
 * Ends a run that cannot end by itself: its faults repeat, or an operator abandoned it. Needs neither the program nor
 * outputs nor a readable state. Objects that may exist in the cloud are kept as unfinished, and unreadable data stays
 * unchanged in storage.
 */
import { sql } from "drizzle-orm";
import { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import type { Move } from "#orchestrator/projection/projection.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { keepUnfinished } from "#orchestrator/steps/stop-steps.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import { ResourceState } from "#orchestrator/storage/resource-state.ts";
import type { Run, RunSpec } from "#orchestrator/storage/run.ts";
import { runBatch } from "#platform/db/client.ts";
import { isJsonMap, readJson } from "#platform/json.ts";
import { describeError, log } from "#platform/log.ts";
import { type DeploymentInputs, deployments } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { faultOf } from "#schema/lists/deployment-faults.ts";
import { statusAfter } from "./instance-status.ts";
import { RunSlot } from "./run-slot.ts";
import type { RunStop } from "./run-stops.ts";
import { RunWriter } from "./run-writer.ts";
import { shownState } from "./shown-state.ts";

/** Safe to repeat until the run is closed. */
export async function endStopped(
  parts: RunnerParts,
  deploymentId: string,
  stop: RunStop,
): Promise<void> {
  const stored = parts.store.runs.readable(deploymentId);
  if (stored === undefined || stored.phase === "closed") return;
  const spec = stored.spec ?? (await specInD1(parts, stored));
  const run: Run = { ...stored, spec };
  const { code, message } = stop;
  const unknown = stop.keepsUnfinished ? await keepReadable(parts, run, { code, message }) : [];
  const lines: Entry[] = [
    ...unknown.map((resource) => note(unknownLine(resource), "warn")),
    note(`Failed: ${message}`, "error"),
  ];
  await parts.commit(() => {
    for (const line of lines) parts.append(deploymentId, null, line);
    if (spec !== null) projectEnd(parts, run, spec, stop);
    parts.store.runs.closeUnreadable(run, unknown.length > 0 || !stop.keepsUnfinished);
  });
}

async function keepReadable(
  parts: RunnerParts,
  run: Run,
  failure: { code: string; message: string },
): Promise<string[]> {
  if (run.phase !== "applying") return [];
  const resources = await ResourceState.loadReadable(parts.store, parts.sealer, run);
  const unknown = await keepUnfinished(parts, run, resources, failure);
  if (run.spec !== null && resources.isWhole) await endOtherClaims(parts, run, resources);
  return unknown;
}

/** Ends the claims of objects that are not in the state. The run must end even where its target's gate fails. */
async function endOtherClaims(
  parts: RunnerParts,
  run: Run,
  { view }: ResourceState,
): Promise<void> {
  try {
    await new ObjectClaims(parts, run).match(view);
  } catch (error) {
    log("warn", "The claims of a stopped run could not be ended; the next run ends them", {
      instanceId: run.instanceId,
      error: describeError(error),
    });
  }
}

function unknownLine(resource: string): string {
  return `The journal of ${resource} cannot be read. Look at the provider whether an object of it exists that GET /instances/{id}/resources does not list.`;
}

/** Inside `commit` only. */
function projectEnd(
  parts: RunnerParts,
  run: Run,
  { operation, instanceState }: RunSpec,
  { code, message }: RunStop,
): void {
  const writer = new RunWriter(parts, run);
  const error = { code, message, fault: faultOf({ code }) };
  const applied = run.phase === "applying" && operation !== "drift_check";
  const touched = parts.store.journal.hasSteps(run.deploymentId);
  const move: Move = {
    state: "FAILED",
    deployment: { gateTicket: null, error },
    ...(code === "abandoned"
      ? { ofRequest: true }
      : { event: writer.event("failed", shownState(run, operation), "FAILED", { error }) }),
    ...(operation === "plan"
      ? {}
      : {
          instance: {
            stateSerial: parts.store.serial(),
            ...(applied
              ? {
                  state: statusAfter(operation, instanceState, "FAILED", touched),
                  drift: "UNKNOWN" as const,
                }
              : {}),
          },
        }),
  };
  writer.project([move], { slot: new RunSlot(parts, run).held() });
}

/** The spec from D1, for a run whose own spec is unreadable; null: the deployment no longer exists. */
async function specInD1({ db }: RunnerParts, run: Run): Promise<RunSpec | null> {
  const thisRow = sql`${deployments.id} = ${run.deploymentId} AND ${deployments.tenantId} = ${run.tenantId}`;
  const [[row], [instance]] = await runBatch(db, [
    db
      .select({
        operation: deployments.operation,
        targetId: deployments.targetId,
        inputs: sql<string>`${deployments.inputs}`.as("inputs"),
      })
      .from(deployments)
      .where(thisRow),
    db
      .select({ state: instances.state })
      .from(instances)
      .where(sql`${instances.id} = ${run.instanceId} AND ${instances.tenantId} = ${run.tenantId}`),
  ]);
  if (row === undefined) return null;
  const { operation, targetId } = row;
  // Of the inputs, the end needs only the target, and D1 has a column for it.
  const inputs = { ...readableInputs(row.inputs), target: { id: targetId } } as DeploymentInputs;
  return {
    operation,
    inputs,
    source: null,
    types: {},
    instanceState: instance?.state ?? "DESTROYED",
  };
}

function readableInputs(text: string): Pick<DeploymentInputs, "hops" | "trace"> {
  const inputs = readJson(text);
  return isJsonMap(inputs) ? inputs : {};
}
