/**
 * Ends steps that can no longer be decided, because the template is unreadable or the journal is not understood. It
 * forgets nothing that may exist at a provider: an object that a create may have made is in the state afterwards, and
 * the next run looks for it and deletes it.
 */
import type { Step } from "#engine/plan/steps.ts";
import type { InstanceState, StoredResource } from "#engine/state/state.ts";
import type { ValueMap } from "#engine/value.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { fold, markInterrupted, type StepRecord } from "#orchestrator/storage/journal.ts";
import type { ResourceState } from "#orchestrator/storage/resource-state.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { decodeValue } from "#orchestrator/storage/state-codec.ts";
import { unfinishedMarks } from "./conclude-failure.ts";
import type { StateChange } from "./state-change.ts";

/** The place to which a create's properties are sealed in its intent. */
export function sentPlace({ tenantId, instanceId }: Pick<Run, "tenantId" | "instanceId">) {
  return { table: "instance_state", tenantId, row: instanceId, column: "sent" };
}

/** The change of state that keeps the possible effect of a step's open call. */
export async function unfinished(
  { sealer }: Pick<RunnerParts, "sealer">,
  run: Run,
  step: Step,
  record: StepRecord,
  state: InstanceState,
): Promise<StateChange> {
  const { intent, pending } = record;
  if (step.kind !== "apply" || intent === undefined) return undefined;
  const stored = state.current.get(step.resource);
  if (intent.verb === "update")
    return stored === undefined ? undefined : { put: { ...stored, unsure: true } };
  const id = pending?.id;
  if (intent.verb !== "create" || (id === undefined && pending === undefined && !record.unknown))
    return undefined;
  const made: StoredResource = {
    name: step.resource,
    type: step.type,
    id: id ?? intent.token,
    objectName: intent.objectName,
    inputs:
      intent.sent === undefined
        ? {}
        : ((await decodeValue(intent.sent, sealer, sentPlace(run))) as ValueMap),
    outputs: {},
    dependsOn: step.dependsOn
      .filter((other) => other.startsWith("apply:"))
      .map((other) => other.slice("apply:".length)),
    protect: false,
    retainOnDelete: false,
    unsure: false,
    ...(stored?.formerNames === undefined ? {} : { formerNames: stored.formerNames }),
    ...unfinishedMarks(record, intent.token, id, false),
  };
  return { put: made, ...(stored === undefined ? {} : { replaced: stored }) };
}

/** Ends every open step of a run whose program can no longer be loaded. Safe to repeat. */
export async function keepUnfinished(
  parts: RunnerParts,
  run: Run,
  resources: ResourceState,
  failure: { code: string; message: string },
): Promise<void> {
  const records = new Map<string, StepRecord>();
  for (const row of parts.store.journal.whole(run.deploymentId)) fold(records, row);
  markInterrupted(records);
  for (const step of run.plan?.steps ?? []) {
    const record = records.get(step.id);
    if (record?.progress.status !== "waiting" || record.intent === undefined) continue;
    const { verb } = record.intent;
    const change = await unfinished(parts, run, step, record, resources.view);
    const put =
      change !== undefined && "put" in change
        ? await resources.put(change.put, change.replaced)
        : undefined;
    await parts.commit(() => {
      put?.();
      parts.append(run.deploymentId, step, {
        kind: "failed",
        verb,
        ...failure,
        elapsedMs: parts.now() - record.startedAtMs,
      });
    });
  }
}
