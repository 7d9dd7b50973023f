/**
 * What events say, against the rows and the journals: the payload of each end, the state and drift of each instance,
 * and the length of each chain of deployments.
 */
import { isDeepStrictEqual } from "./deep-equal.ts";
import type { DeploymentRow, Facts } from "./facts.ts";
import { hasTable, parsed } from "./stored.ts";

type Data = Record<string, unknown>;

interface Told {
  type: string;
  sequence: number;
  data: Data;
}

const changing = new Set(["deploy", "rollback", "destroy"]);
const succeeded = new Set(["SUCCEEDED", "NO_CHANGES"]);

/** Checks what is told of every deployment and instance. */
export function checkPayloads(facts: Facts): void {
  for (const row of facts.rows) {
    endIsTold(facts, row);
    chainHasALength(facts, row);
  }
  for (const instance of facts.real.instanceIds.keys()) {
    stateFollowsTheRuns(facts, instance);
    driftIsTold(facts, instance);
  }
}

function toldOf(facts: Facts, type: "deployment" | "instance", id: string): Told[] {
  return facts.real.d1
    .rows("SELECT type, payload FROM events WHERE resource_type = ? AND resource_id = ?", [
      type,
      id,
    ])
    .map((row) => {
      const { sequence, data } = parsed(row["payload"]) as { sequence: number; data: Data };
      return { type: String(row["type"]), sequence, data };
    })
    .sort((a, b) => a.sequence - b.sequence);
}

/** Each event is of this deployment and instance, and the last one has what the row has. */
function endIsTold(facts: Facts, row: DeploymentRow): void {
  const told = toldOf(facts, "deployment", row.id);
  const instance = facts.asked(row.id)?.instance ?? 0;
  const instanceId = facts.real.instanceIds[instance] ?? "";
  for (const { type, data } of told)
    facts.problem(
      data["operation"] !== row.operation ||
        data["instanceId"] !== instanceId ||
        data["deploymentUrl"] !== `/api/v1/deployments/${row.id}` ||
        data["instanceUrl"] !== `/api/v1/instances/${instanceId}`,
      `${type} of ${row.id}, a ${row.operation} of ${instanceId}, says ${JSON.stringify(data)}`,
    );
  const end = told.at(-1);
  const [stored] = facts.real.d1.rows(
    "SELECT error, outputs_error AS outputsError FROM deployments WHERE id = ?",
    [row.id],
  );
  if (end === undefined || facts.isRestored(row)) return;
  if (end.data["state"] === "FAILED" || end.data["state"] === "SUCCEEDED")
    for (const name of ["error", "outputsError"])
      facts.problem(
        !isDeepStrictEqual(end.data[name] ?? null, parsedOrNull(stored?.[name])),
        `${end.type} of ${row.id} says ${name} ${JSON.stringify(end.data[name])}, the row ${String(stored?.[name])}`,
      );
  const known = runOf(facts, instance, row.id);
  // Of its own end, a run that was canceled says that it was: it knew by then.
  const endsItself = end.type.startsWith("deployment.") && known?.["wroteEnd"] === 1;
  facts.problem(
    endsItself &&
      known["canceling"] === 1 &&
      !row.isAbandoned &&
      end.data["previousState"] !== "CANCELING",
    `${end.type} of ${row.id}, which was canceled, came from ${String(end.data["previousState"])}`,
  );
}

/** What the runner has of a run. `wroteEnd`: the end is its own. */
function runOf(facts: Facts, instance: number, id: string) {
  const runner = facts.real.runner(instance);
  if (!hasTable(runner, "snapshots")) return undefined;
  const [run] = runner.storage.rows(
    `SELECT r.canceling, EXISTS (SELECT 1 FROM snapshots s, json_each(s.body, '$.events') e
        WHERE s.deployment_id = r.deployment_id AND e.value ->> '$.about' = 'deployment'
          AND e.value ->> '$.state' IN ('SUCCEEDED', 'NO_CHANGES', 'FAILED', 'CANCELED')
          AND e.value ->> '$.data.previousState' IN ('PLANNING', 'APPLYING', 'CANCELING')) AS wroteEnd
      FROM runs r WHERE r.deployment_id = ?`,
    [id],
  );
  return run;
}

function parsedOrNull(value: unknown): unknown {
  return value === null || value === undefined ? null : parsed(value);
}

/** A deployment that an output started continues the chain of the one that changed it. */
function chainHasALength(facts: Facts, { id, trigger, inputs }: DeploymentRow): void {
  const { hops = 0 } = inputs as { hops?: number };
  facts.problem(
    trigger === "upstream_output" && hops < 1,
    `${id} was started by an output, without a chain`,
  );
}

/** The states that a run leaves the instance in; several where the journal does not say whether it touched anything. */
function statesAfter(facts: Facts, instance: number, row: DeploymentRow, before: string): string[] {
  const destroys = row.operation === "destroy";
  if (succeeded.has(row.state)) return [destroys ? "DESTROYED" : "ACTIVE"];
  if (!("APPLYING" in row.timestamps)) return [before];
  const steps = (facts.steps[instance] ?? []).filter(({ deploymentId }) => deploymentId === row.id);
  const changes = steps.filter(({ entry }) => entry.verb !== undefined && entry.verb !== "read");
  const neverWorked = ["INITIALIZED", "FAILED", "DESTROYED"].includes(before);
  const failed = destroys ? "DESTROY_FAILED" : neverWorked ? "FAILED" : "DEGRADED";
  const canceled = destroys ? "DEGRADED" : failed;
  const after = row.state === "CANCELED" ? canceled : failed;
  const isTouched = changes.some(({ entry }) => entry.kind === "done" && entry.verb !== "none");
  if (!row.isAbandoned && isTouched) return [after];
  if (!row.isAbandoned && steps.length === 0) return [before];
  const done = new Set(steps.flatMap(({ step, entry }) => (entry.kind === "done" ? step : [])));
  const isWhole = steps.every(({ step }) => done.has(step));
  // The runner may not have heard of the abandonment, and have gone on to the end.
  const ended = row.isAbandoned && isWhole ? [destroys ? "DESTROYED" : "ACTIVE"] : [];
  return [before, after, ...ended];
}

/** The instance is in a state that its runs lead to, one after the other. */
function stateFollowsTheRuns(facts: Facts, instance: number): void {
  const id = facts.real.instanceIds[instance] ?? "";
  const [row] = facts.real.d1.rows("SELECT state FROM instances WHERE id = ?", [id]);
  if (facts.real.timeTravel.hasGoneBack) return;
  const runs = facts.rows
    .filter(
      ({ id: run, operation, timestamps, state }) =>
        facts.asked(run)?.instance === instance &&
        changing.has(operation) &&
        ("APPLYING" in timestamps || succeeded.has(state)),
    )
    .sort((a, b) => begun(a) - begun(b) || (a.id < b.id ? -1 : 1));
  let states = ["INITIALIZED"];
  for (const run of runs)
    states = [...new Set(states.flatMap((before) => statesAfter(facts, instance, run, before)))];
  const state = String(row?.["state"]);
  facts.problem(
    !states.includes(state),
    `Instance ${instance} is ${state}, its runs lead to ${states.join(" or ")}: ${runs.map((run) => `${run.operation} ${run.state}`).join(", ")}`,
  );
}

function begun({ timestamps }: DeploymentRow): number {
  return timestamps["APPLYING"] ?? timestamps["PLANNING"] ?? 0;
}

/** Whoever heard of drift hears that it is over. */
function driftIsTold(facts: Facts, instance: number): void {
  const id = facts.real.instanceIds[instance] ?? "";
  const [row] = facts.real.d1.rows("SELECT drift, state FROM instances WHERE id = ?", [id]);
  if (facts.real.timeTravel.hasGoneBack) return;
  const about = /^instance\.(drift_detected|drift_resolved|destroyed)$/;
  const last = toldOf(facts, "instance", id).findLast(({ type }) => about.test(type))?.type;
  facts.problem(
    row?.["drift"] === "IN_SYNC" && last === "instance.drift_detected",
    `Instance ${instance} is in sync, and the last that was told is its drift`,
  );
  facts.problem(
    row?.["drift"] === "DRIFTED" && last !== "instance.drift_detected",
    `Instance ${instance} has drifted, and the last that was told is ${last}`,
  );
}
