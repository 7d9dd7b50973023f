/** The invariants that hold at rest after any history, checked on the data stored in D1 and in all objects. */
import { restProblems } from "#test/invariants/rests.ts";
import { SEALED } from "./canaries.ts";
import { isDeepStrictEqual } from "./deep-equal.ts";
import { type DeploymentRow, Facts } from "./facts.ts";
import { checkHistories } from "./histories.ts";
import type { Model } from "./model.ts";
import { checkPayloads } from "./payloads.ts";
import { sharedName } from "./programs.ts";
import { webAddresses } from "./repeats.ts";
import type { Simulation } from "./simulation.ts";
import { checkStates } from "./states.ts";
import { withSealedMarks } from "./stored.ts";
import { checkTriggers } from "./trigger-rules.ts";

/** A run asks what its target allows right before it begins; the clocks are wrong by so much, at most. */
const NARROWED_MS = 5 * 60_000;

/** The calls that each planned action allows. The create of a lost object is repeated in order to delete it. */
const verbsOf: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  // An object that was deleted outside the service is created again.
  update: ["update", "create"],
  replace: ["create", "delete", "update"],
  delete: ["delete", "create"],
  unchanged: [],
};

/** All violations. */
export function violationsAtRest(model: Model, real: Simulation): string[] {
  const facts = new Facts(model, real);
  deploymentsMatchTheRequests(facts);
  abandonedStaysSo(facts);
  checkHistories(facts);
  for (const row of facts.rows) {
    callsAreInThePlan(facts, row);
    movesKeepObjects(facts, row);
    beganInAnAllowedRegion(facts, row);
  }
  for (const instance of real.instanceIds.keys()) {
    runsDidNotOverlap(facts, instance);
    approvedPlanWasCurrent(facts, instance);
    cancelsStopSteps(facts, instance);
    replacementsComeFirst(facts, instance);
  }
  checkStates(facts);
  checkTriggers(facts);
  checkPayloads(facts);
  return [...real.watches.violations, ...facts.problems];
}

/** Every accepted request is exactly one deployment with its frozen inputs. */
function deploymentsMatchTheRequests(facts: Facts): void {
  const ids = facts.rows.map(({ id }) => id);
  const asked = facts.model.asked.map(({ id }) => id).sort();
  facts.problem(!isDeepStrictEqual(ids, asked), `Deployments ${ids.join()}, asked ${asked.join()}`);
  for (const { id, operation, state, inputs, timestamps } of facts.rows) {
    const known = facts.asked(id);
    if (known === undefined) continue;
    facts.problem(operation !== known.operation, `${id} is a ${operation}`);
    facts.problem(
      (inputs.template?.version ?? null) !== known.version && operation !== "drift_check",
      `${id} is of version ${inputs.template?.version}, asked ${known.version}`,
    );
    const found = withSealedMarks(inputs.variables);
    const expected = { ...known.variables };
    if ("password" in expected) expected.password = SEALED;
    facts.problem(
      !isDeepStrictEqual(found, expected),
      `${id} has ${JSON.stringify(found)}, asked ${JSON.stringify(expected)}`,
    );
    const { storage } = facts.real.runner(known.instance);
    const [born] = storage.rows("SELECT 1 FROM sqlite_master WHERE name = 'runs'");
    const [run] =
      born === undefined
        ? []
        : storage.rows("SELECT phase FROM runs WHERE deployment_id = ?", [id]);
    const phase = run === undefined ? undefined : String(run["phase"]);
    facts.problems.push(...restProblems({ id, state, states: Object.keys(timestamps) }, phase));
  }
}

function abandonedStaysSo(facts: Facts): void {
  for (const row of facts.rows)
    facts.problem(
      facts.model.abandoned.has(row.id) && !facts.isRestored(row) && !row.isAbandoned,
      `${row.id} was abandoned and is ${row.state}`,
    );
}

/** Every call was in the plan. */
function callsAreInThePlan(facts: Facts, row: DeploymentRow): void {
  const known = facts.asked(row.id);
  if (known === undefined) return;
  const steps =
    facts.steps[known.instance]?.filter(({ deploymentId }) => deploymentId === row.id) ?? [];
  const intents = steps.filter(({ entry }) => entry.kind === "intent");
  if (row.operation === "drift_check" || row.operation === "plan") {
    const looked = intents.every(({ entry }) => entry.verb === "read");
    facts.problem(!looked, `${row.id}, a ${row.operation}, changed something`);
    return;
  }
  if (intents.length === 0) return;
  const [plan] = facts.real.d1.rows(
    "SELECT changes FROM deployment_plans WHERE deployment_id = ?",
    [row.id],
  );
  facts.problem(plan === undefined || row.planHash === null, `${row.id} ran without a plan`);
  if (plan === undefined) return;
  const changes = JSON.parse(String(plan["changes"])) as { resource: string; action: string }[];
  for (const { resource, entry } of intents) {
    const allowed = changes
      .filter((change) => change.resource === resource)
      .flatMap(({ action }) => ["read", ...(verbsOf[action] ?? [])]);
    facts.problem(
      !allowed.includes(entry.verb ?? ""),
      `${row.id}: ${entry.verb} of ${resource}, which is not in the plan: ${JSON.stringify(changes)}`,
    );
  }
}

/** An object that the template moves to another address is not deleted there. */
function movesKeepObjects(facts: Facts, { id }: DeploymentRow): void {
  const place = facts.asked(id)?.program?.web ?? "none";
  if (place === "none") return;
  const deleted = facts.real.d1
    .rows(
      `SELECT c.value ->> '$.resource' AS resource, c.value ->> '$.reason' AS reason
        FROM deployment_plans, json_each(changes) c
        WHERE deployment_id = ? AND c.value ->> '$.action' = 'delete'`,
      [id],
    )
    .filter(({ reason }) => reason !== "replaced earlier");
  for (const { resource } of deleted)
    facts.problem(
      sharedName(String(resource)) === sharedName(webAddresses[place]),
      `${id} has ${webAddresses[place]} and deletes ${String(resource)}`,
    );
}

/** Nothing begins to apply in a region that the target has come to forbid. */
function beganInAnAllowedRegion(facts: Facts, row: DeploymentRow): void {
  const { model, real } = facts;
  if (row.operation === "destroy" || real.timeTravel.hasGoneBack) return;
  const [begun] = real.d1.rows(
    "SELECT created_at_ms AS atMs FROM events WHERE resource_id = ? AND type = 'deployment.applying'",
    [row.id],
  );
  if (begun === undefined) return;
  // Each object has a clock of its own, and the run may have asked just before.
  const beforeMs = Number(begun["atMs"]) - NARROWED_MS;
  const { region } = model.regions.findLast(({ atMs }) => atMs < beforeMs) ?? {};
  const newer = model.regions.some(
    ({ atMs }) => atMs >= beforeMs && atMs <= Number(begun["atMs"]) + NARROWED_MS,
  );
  facts.problem(
    region !== undefined && !newer && region !== row.inputs.target.region,
    `${row.id} began to apply in ${row.inputs.target.region}, which its target had not allowed any more`,
  );
}

function runsDidNotOverlap(facts: Facts, instance: number): void {
  const over = new Set<string>();
  let current = "";
  for (const { deploymentId } of facts.steps[instance] ?? []) {
    if (deploymentId === current) continue;
    facts.problem(over.has(deploymentId), `${deploymentId} continued after ${current} had started`);
    over.add(current);
    current = deploymentId;
  }
}

/** No other run changed the state between an approved plan and its first step. */
function approvedPlanWasCurrent(facts: Facts, instance: number): void {
  const steps = facts.steps[instance] ?? [];
  for (const { id, timestamps, stateSerial } of facts.rows) {
    const { AWAITING_APPROVAL: parkedMs } = timestamps;
    const first = steps.find(
      ({ deploymentId, entry }) => deploymentId === id && entry.kind === "intent",
    );
    if (parkedMs === undefined || first === undefined) continue;
    const between = steps.filter(
      ({ deploymentId, atMs, entry }) =>
        deploymentId !== id &&
        atMs > parkedMs &&
        atMs < first.atMs &&
        entry.kind === "done" &&
        entry.verb !== "read",
    );
    facts.problem(
      between.length > 0,
      `${id}, planned at serial ${stateSerial}, ran after ${between[0]?.deploymentId}`,
    );
  }
}

/** A canceled run makes no further call of a step after one that has ended. */
function cancelsStopSteps(facts: Facts, instance: number): void {
  const ended = new Set<string>();
  for (const { deploymentId, seq, step, entry } of facts.steps[instance] ?? []) {
    const canceledAt = facts.real.watches.canceledAt.get(deploymentId);
    if (canceledAt === undefined || seq <= canceledAt) continue;
    const key = `${deploymentId} ${step}`;
    if (entry.kind === "done" && entry.more === true) ended.add(key);
    facts.problem(
      entry.kind === "intent" && ended.has(key),
      `${deploymentId} was canceled and went on with another call of ${step}`,
    );
  }
}

/** An object is deleted after the one that replaces it was created, unless an option says otherwise. */
function replacementsComeFirst(facts: Facts, instance: number): void {
  const created = new Set<string>();
  for (const { deploymentId, step, resource, entry } of facts.steps[instance] ?? []) {
    const program = facts.asked(deploymentId)?.program;
    if (entry.kind !== "done" || program == null || program.dbFirst) continue;
    const key = `${deploymentId} ${resource}`;
    if (entry.verb === "create" && step === `apply:${resource}`) created.add(key);
    facts.problem(
      entry.verb === "delete" &&
        step === `delete:${resource}` &&
        isReplaced(facts, deploymentId, resource) &&
        !created.has(key),
      `${deploymentId} deleted ${resource} before it created its replacement`,
    );
  }
}

function isReplaced(facts: Facts, deploymentId: string, resource: string): boolean {
  const [plan] = facts.real.d1.rows(
    `SELECT 1 FROM deployment_plans, json_each(changes) c WHERE deployment_id = ?
      AND json_extract(c.value, '$.resource') = ? AND json_extract(c.value, '$.action') = 'replace'`,
    [deploymentId, resource],
  );
  return plan !== undefined;
}
