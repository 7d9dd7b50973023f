/** Cloud, resource state and D1 agree about each instance. */
import { claimProblems } from "#test/invariants/claims.ts";
import { holdingProblems, type KnownObject } from "#test/invariants/holdings.ts";
import { storedDrift, storedSerial } from "#test/support/stored-facts.ts";
import { SEALED } from "./canaries.ts";
import { isDeepStrictEqual } from "./deep-equal.ts";
import type { DeploymentRow, Facts } from "./facts.ts";
import { defaults, expectedObjects, sharedName, withIds } from "./programs.ts";
import { cloudObjects, hasTable, storedResources } from "./stored.ts";

const changing = new Set(["deploy", "rollback", "destroy"]);
/** A destroy of nothing that was canceled while it was planned succeeds without a step. */
const succeeded = new Set(["SUCCEEDED", "NO_CHANGES"]);

/** Checks the objects of every instance. */
export function checkStates(facts: Facts): void {
  for (const instance of facts.real.instanceIds.keys()) {
    cloudMatchesTheState(facts, instance);
    claimsMatchTheState(facts, instance);
    rowMatchesTheRunner(facts, instance);
    successMatchesTheRequest(facts, instance);
    outputsAreFresh(facts, instance);
  }
}

/** No object is lost or duplicated. */
function cloudMatchesTheState(facts: Facts, instance: number): void {
  const mine = new Set(
    facts.model.asked.filter((one) => one.instance === instance).map(({ id }) => id),
  );
  const objects = cloudObjects(facts.real).filter(({ token }) => mine.has(token.slice(0, 36)));
  // A failed delete may have taken effect: the next plan repeats it.
  const given = new Set(
    (facts.steps[instance] ?? [])
      .filter(
        ({ entry: { kind, verb } }) =>
          verb === "delete" && (kind === "failed" || kind === "stopped"),
      )
      .map(({ resource }) => sharedName(resource)),
  );
  const holder = String(instance);
  const known: KnownObject[] = storedResources(facts.real, instance).map(({ name, id, token }) => ({
    id,
    // Each create whose outcome is unknown may have made one object.
    ...(token === undefined ? {} : { mark: token }),
    mayBeGone:
      given.has(sharedName(name)) || (id !== undefined && facts.model.deletedOutside.has(id)),
    holder,
    called: `${name} ${id ?? token}`,
  }));
  const released = (facts.steps[instance] ?? []).filter(
    ({ step, resource, entry }) =>
      step.startsWith("delete:") &&
      resource === "keep" &&
      entry.kind === "done" &&
      entry.verb === "none",
  );
  for (const { resource } of released)
    known.push({ id: undefined, mark: resource, holder, called: resource });
  facts.problems.push(
    ...holdingProblems({
      objects: objects.map(({ id, name, token }) => ({
        id,
        marks: [token, name],
        called: `${name} ${id} of ${token}`,
      })),
      known,
    }),
  );
}

/** The gate has a claim for each object in the state, and no other. */
function claimsMatchTheState(facts: Facts, instance: number): void {
  if (!hasTable(facts.real.gate, "claims")) return;
  const claimed = facts.real.gate.storage
    .rows("SELECT object_id AS id FROM claims WHERE instance_id = ?", [
      facts.real.instanceIds[instance],
    ])
    .map(({ id }) => String(id));
  const stored = storedResources(facts.real, instance);
  const known = stored.flatMap(({ id }) => id ?? []);
  // The run may have died between its claim and its commit: then the state has only the token of the create.
  const tokens = new Set(stored.flatMap(({ token: lost }) => lost ?? []));
  const lost = new Set(
    cloudObjects(facts.real)
      .filter(({ token }) => tokens.has(token))
      .map(({ id }) => id),
  );
  // And somebody may have deleted the object meanwhile.
  if (tokens.size > 0) for (const id of facts.model.deletedOutside) lost.add(id);
  facts.problems.push(...claimProblems(String(instance), claimed, known, lost));
}

function rowMatchesTheRunner(facts: Facts, instance: number): void {
  const runner = facts.real.runner(instance);
  const [row] = facts.real.d1.rows(
    "SELECT state, drift, state_serial AS serial FROM instances WHERE id = ?",
    [facts.real.instanceIds[instance]],
  );
  if (!hasTable(runner, "facts")) return;
  const rows = (query: string) => runner.storage.rows(query);
  const serial = storedSerial(rows);
  facts.problem(
    row?.["serial"] !== serial,
    `D1 has serial ${String(row?.["serial"])}, the runner ${serial}`,
  );
  const drifted = storedDrift(rows) !== "";
  facts.problem(
    row?.["drift"] === "DRIFTED" && !drifted,
    "D1 says DRIFTED, but the runner has no drift",
  );
  facts.problem(
    row?.["drift"] === "IN_SYNC" && drifted,
    "D1 says IN_SYNC, but the runner has drift",
  );
  const state = String(row?.["state"]);
  facts.problem(/(ING|ED_AT)$/.test(state), `Instance ${instance} rests in ${state}`);
  const last = lastChange(facts, instance);
  if (last?.state === "SUCCEEDED" || last?.state === "NO_CHANGES") {
    const due = last.operation === "destroy" ? "DESTROYED" : "ACTIVE";
    facts.problem(
      state !== due,
      `Instance ${instance} is ${state} after ${last.operation} ${last.state}`,
    );
  }
}

/** The last run that could change the instance. */
function lastChange(facts: Facts, instance: number): DeploymentRow | undefined {
  return facts.rows
    .filter(
      ({ id, operation, timestamps, state }) =>
        facts.asked(id)?.instance === instance &&
        changing.has(operation) &&
        ("APPLYING" in timestamps || succeeded.has(state) || firstCallOf(facts, id) !== undefined),
    )
    .sort((a, b) => begun(facts, a) - begun(facts, b) || (a.id < b.id ? -1 : 1))
    .at(-1);
}

/** The time of a run's first change, by its journal. D1 lacks it if it went back before the run was abandoned. */
function firstCallOf(facts: Facts, id: string): number | undefined {
  const steps = facts.steps[facts.asked(id)?.instance ?? -1] ?? [];
  return steps.find(
    ({ deploymentId, entry }) =>
      deploymentId === id && entry.kind === "intent" && entry.verb !== "read",
  )?.atMs;
}

/** After a successful change the state is exactly the program with its variables. */
function successMatchesTheRequest(facts: Facts, instance: number): void {
  const last = lastChange(facts, instance);
  const asked = last && facts.asked(last.id);
  if (asked === undefined || (last?.state !== "SUCCEEDED" && last?.state !== "NO_CHANGES")) return;
  const stored = storedResources(facts.real, instance);
  const variables = { ...defaults, ...asked.variables, password: SEALED };
  const expected = asked.program === null ? {} : expectedObjects(asked.program, variables);
  const ids = new Map(stored.map(({ name, id }) => [name, id]));
  const found = Object.fromEntries(stored.map(({ name, inputs }) => [name, inputs]));
  const due = Object.fromEntries(
    Object.entries(expected).map(([name, { properties }]) => [
      name,
      withIds(properties, (one) => ids.get(one)),
    ]),
  );
  facts.problem(
    stored.some(({ pendingDelete }) => pendingDelete),
    `${last.id} succeeded and left objects whose delete is pending`,
  );
  facts.problem(
    !isDeepStrictEqual(found, due),
    `After ${last.id} the state is ${JSON.stringify(found)}, not ${JSON.stringify(due)}`,
  );
}

/** Outputs are stale from the deployment that could not compute them to the next one that could. */
function outputsAreFresh(facts: Facts, instance: number): void {
  const last = lastChange(facts, instance);
  if (last?.state !== "SUCCEEDED" && last?.state !== "NO_CHANGES") return;
  const program = facts.asked(last.id)?.program;
  const fails = program?.failingOutput === true && program.b;
  const [row] = facts.real.d1.rows(
    "SELECT outputs_stale_since_ms AS staleMs FROM instances WHERE id = ?",
    [facts.real.instanceIds[instance]],
  );
  facts.problem(
    (row?.["staleMs"] !== null) !== fails || (last.outputsError !== null) !== fails,
    `After ${last.id}, outputs stale since ${String(row?.["staleMs"])}, error ${last.outputsError}`,
  );
}

function begun(facts: Facts, { id, timestamps }: DeploymentRow): number {
  return timestamps["APPLYING"] ?? firstCallOf(facts, id) ?? timestamps["PLANNING"] ?? 0;
}
