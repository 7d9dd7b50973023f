/** The invariants that hold at rest after any history, checked on the data stored in D1 and in all objects. */
import { isDeepStrictEqual } from "./deep-equal.ts";
import { type Asked, defaults, type Model } from "./model.ts";
import { expectedObjects, withIds } from "./programs.ts";
import type { Simulation } from "./simulation.ts";
import { cloudObjects, hasTable, parsed, storedResources } from "./stored.ts";

interface DeploymentRow {
  id: string;
  operation: string;
  state: string;
  version: number;
  planHash: string | null;
  stateSerial: number | null;
  inputs: { template: { version: number } | null; variables: Record<string, unknown> };
  timestamps: Record<string, number>;
}

interface Step {
  deploymentId: string;
  seq: number;
  atMs: number;
  step: string;
  resource: string;
  entry: { kind: string; verb?: string };
}

/** The allowed state changes (product.md, States). */
const moves: Readonly<Record<string, readonly string[]>> = {
  QUEUED: ["PLANNING", "CANCELED", "SUPERSEDED"],
  PLANNING: [
    "PLANNING",
    "AWAITING_APPROVAL",
    "APPLYING",
    "SUCCEEDED",
    "NO_CHANGES",
    "FAILED",
    "CANCELING",
  ],
  AWAITING_APPROVAL: ["APPLYING", "DISCARDED", "EXPIRED", "SUPERSEDED"],
  APPLYING: ["APPLYING", "SUCCEEDED", "FAILED", "CANCELING"],
  CANCELING: ["CANCELING", "CANCELED", "SUCCEEDED", "NO_CHANGES", "FAILED"],
};
const ended = new Set([
  "SUCCEEDED",
  "NO_CHANGES",
  "FAILED",
  "CANCELED",
  "DISCARDED",
  "EXPIRED",
  "SUPERSEDED",
]);
const changing = new Set(["deploy", "rollback", "destroy"]);
/** The calls that each planned action allows. The create of a lost object is repeated in order to delete it. */
const verbsOf: Readonly<Record<string, readonly string[]>> = {
  create: ["create"],
  // An object that was deleted outside the service is created again.
  update: ["update", "create"],
  replace: ["create", "delete", "update"],
  delete: ["delete", "create"],
  unchanged: [],
};

export class Rest {
  readonly problems: string[] = [];
  readonly #model: Model;
  readonly #real: Simulation;
  readonly #rows: readonly DeploymentRow[];
  readonly #steps: readonly Step[][];

  constructor(model: Model, real: Simulation) {
    this.#model = model;
    this.#real = real;
    this.#rows = real.d1
      .rows(
        `SELECT id, operation, state, version, plan_hash AS planHash, state_serial AS stateSerial, inputs, timestamps
          FROM deployments WHERE tenant_id = ? ORDER BY id`,
        [real.ground.tenantId],
      )
      .map((row) => ({
        ...(row as unknown as DeploymentRow),
        inputs: parsed(row["inputs"]) as unknown as DeploymentRow["inputs"],
        timestamps: parsed(row["timestamps"]) as Record<string, number>,
      }));
    this.#steps = real.instanceIds.map((_, instance) => this.#stepsOf(instance));
  }

  /** All violations. */
  check(): string[] {
    this.problems.push(...this.#real.violations);
    this.#deploymentsMatchTheRequests();
    this.#auditIsComplete();
    for (const row of this.#rows) {
      this.#eventsAreComplete(row);
      this.#callsAreInThePlan(row);
    }
    for (const instance of this.#real.instanceIds.keys()) {
      this.#runsDidNotOverlap(instance);
      this.#approvedPlanWasCurrent(instance);
      this.#cloudMatchesTheState(instance);
      this.#claimsMatchTheState(instance);
      this.#rowMatchesTheRunner(instance);
      this.#successMatchesTheRequest(instance);
    }
    return this.problems;
  }

  #problem(condition: boolean, text: string): void {
    if (condition) this.problems.push(text);
  }

  #asked(id: string): Asked | undefined {
    return this.#model.asked.find((one) => one.id === id);
  }

  #stepsOf(instance: number): Step[] {
    const runner = this.#real.runner(instance);
    if (!hasTable(runner, "journal")) return [];
    return runner.storage
      .rows(
        `SELECT deployment_id AS deploymentId, seq, at_ms AS atMs, step, resource, entry FROM journal
          WHERE step IS NOT NULL ORDER BY at_ms, deployment_id, seq`,
      )
      .map((row) => ({
        ...(row as unknown as Step),
        entry: parsed(row["entry"]) as unknown as Step["entry"],
      }));
  }

  /** Every accepted request is exactly one deployment with its frozen inputs. */
  #deploymentsMatchTheRequests(): void {
    const ids = this.#rows.map(({ id }) => id);
    const asked = this.#model.asked.map(({ id }) => id).sort();
    this.#problem(
      !isDeepStrictEqual(ids, asked),
      `Deployments ${ids.join()}, asked ${asked.join()}`,
    );
    for (const { id, operation, state, inputs, timestamps } of this.#rows) {
      const known = this.#asked(id);
      if (known === undefined) continue;
      this.#problem(!ended.has(state) && state !== "AWAITING_APPROVAL", `${id} rests in ${state}`);
      this.#problem(operation !== known.operation, `${id} is a ${operation}`);
      this.#problem(
        (inputs.template?.version ?? null) !== known.version && operation !== "drift_check",
        `${id} is of version ${inputs.template?.version}, asked ${known.version}`,
      );
      this.#problem(
        !isDeepStrictEqual(inputs.variables, known.variables),
        `${id} has ${JSON.stringify(inputs.variables)}, asked ${JSON.stringify(known.variables)}`,
      );
      const { storage } = this.#real.runner(known.instance);
      const [born] = storage.rows("SELECT 1 FROM sqlite_master WHERE name = 'runs'");
      const [run] =
        born === undefined
          ? []
          : storage.rows("SELECT phase FROM runs WHERE deployment_id = ?", [id]);
      const phase = state === "AWAITING_APPROVAL" ? "parked" : "closed";
      // A deployment that ended before its runner was notified need not be known or loaded.
      const unknown =
        run === undefined || (run["phase"] === "waiting" && !("PLANNING" in timestamps));
      this.#problem(
        !unknown && run["phase"] !== phase,
        `${id} is ${state}, its run ${String(run?.["phase"])}`,
      );
    }
  }

  #auditIsComplete(): void {
    const entries = this.#real.d1.rows(
      `SELECT resource_id AS id, action, count(*) AS times FROM audit_events
        WHERE tenant_id = ? AND resource_type = 'deployment' GROUP BY resource_id, action`,
      [this.#real.ground.tenantId],
    );
    const times = new Map(
      entries.map((row) => [`${String(row["id"])} ${String(row["action"])}`, Number(row["times"])]),
    );
    for (const row of this.#rows) {
      const { id, operation, timestamps } = row;
      const kinds = new Set(this.#events(row).map(({ type }) => type));
      const expected: Record<string, boolean> = {
        [`instance.${operation}`]: true,
        "deployment.approve": kinds.has("approved"),
        "deployment.discard": kinds.has("discarded"),
        "deployment.cancel":
          kinds.has("canceling") || (kinds.has("canceled") && !("PLANNING" in timestamps)),
      };
      for (const [action, once] of Object.entries(expected)) {
        const found = times.get(`${id} ${action}`) ?? 0;
        this.#problem(found !== Number(once), `${id}: ${found} audit rows of ${action}`);
      }
    }
  }

  #events({ id }: DeploymentRow) {
    return this.#real.d1
      .rows(
        "SELECT id, type, payload FROM events WHERE resource_id = ? AND resource_type = 'deployment'",
        [id],
      )
      .map((row) => {
        const payload = parsed(row["payload"]) as {
          sequence: number;
          data: { previousState?: string; state: string };
        };
        return {
          type: String(row["type"]).replace("deployment.", ""),
          sequence: payload.sequence,
          from: payload.data.previousState,
          to: payload.data.state,
        };
      })
      .sort((a, b) => a.sequence - b.sequence);
  }

  /** Each event exists once, and together they tell every state of the deployment in order. */
  #eventsAreComplete(row: DeploymentRow): void {
    const events = this.#events(row);
    const story = `${row.id}: ${events.map(({ sequence, from, to, type }) => `${sequence} ${type} ${from}>${to}`).join(", ")}; now ${row.state}, version ${row.version}`;
    const kinds = new Set(events.map(({ type }) => type));
    const sequences = new Set(events.map(({ sequence }) => sequence));
    this.#problem(kinds.size < events.length, `A duplicate event: ${story}`);
    this.#problem(sequences.size < events.length, `Two events with one sequence: ${story}`);
    this.#problem(
      events[0]?.type !== "queued" || events[0].sequence !== 1,
      `No first event: ${story}`,
    );
    this.#problem(events.at(-1)?.to !== row.state, `The last event has another state: ${story}`);
    this.#problem(
      (events.at(-1)?.sequence ?? 0) > row.version,
      `An event is newer than the row: ${story}`,
    );
    let state = "QUEUED";
    for (const { type, from, to } of events.slice(1)) {
      // A projection made before the runner knew of a cancel names the earlier state.
      this.#problem(from !== state && state !== "CANCELING", `A gap before ${type}: ${story}`);
      const next = state === "CANCELING" && type === "planned" ? "CANCELING" : to;
      // A drift check gives way to a deployment without a cancel.
      const yields = row.operation === "drift_check" && state === "PLANNING" && next === "CANCELED";
      this.#problem(
        !yields && moves[state]?.includes(next) !== true,
        `${state} to ${next}: ${story}`,
      );
      state = next;
    }
    const visited = new Set(["QUEUED", ...events.map(({ to }) => to)]);
    for (const name of visited)
      this.#problem(!(name in row.timestamps), `No time of ${name}: ${story}`);
    for (const name of Object.keys(row.timestamps))
      this.#problem(!visited.has(name), `A time of ${name} without an event: ${story}`);
  }

  /** Every call was in the plan. */
  #callsAreInThePlan(row: DeploymentRow): void {
    const known = this.#asked(row.id);
    if (known === undefined) return;
    const steps =
      this.#steps[known.instance]?.filter(({ deploymentId }) => deploymentId === row.id) ?? [];
    const intents = steps.filter(({ entry }) => entry.kind === "intent");
    if (row.operation === "drift_check" || row.operation === "plan") {
      const looked = intents.every(({ entry }) => entry.verb === "read");
      this.#problem(!looked, `${row.id}, a ${row.operation}, changed something`);
      return;
    }
    if (intents.length === 0) return;
    const [plan] = this.#real.d1.rows(
      "SELECT changes FROM deployment_plans WHERE deployment_id = ?",
      [row.id],
    );
    this.#problem(plan === undefined || row.planHash === null, `${row.id} ran without a plan`);
    if (plan === undefined) return;
    const changes = JSON.parse(String(plan["changes"])) as { resource: string; action: string }[];
    for (const { resource, entry } of intents) {
      const allowed = changes
        .filter((change) => change.resource === resource)
        .flatMap(({ action }) => ["read", ...(verbsOf[action] ?? [])]);
      this.#problem(
        !allowed.includes(entry.verb ?? ""),
        `${row.id}: ${entry.verb} of ${resource}, which is not in the plan: ${JSON.stringify(changes)}`,
      );
    }
  }

  #runsDidNotOverlap(instance: number): void {
    const over = new Set<string>();
    let current = "";
    for (const { deploymentId } of this.#steps[instance] ?? []) {
      if (deploymentId === current) continue;
      this.#problem(
        over.has(deploymentId),
        `${deploymentId} continued after ${current} had started`,
      );
      over.add(current);
      current = deploymentId;
    }
  }

  /** No other run changed the state between an approved plan and its first step. */
  #approvedPlanWasCurrent(instance: number): void {
    const steps = this.#steps[instance] ?? [];
    for (const { id, timestamps, stateSerial } of this.#rows) {
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
      this.#problem(
        between.length > 0,
        `${id}, planned at serial ${stateSerial}, ran after ${between[0]?.deploymentId}`,
      );
    }
  }

  /** No object is lost or duplicated. */
  #cloudMatchesTheState(instance: number): void {
    const mine = new Set(
      this.#model.asked.filter((one) => one.instance === instance).map(({ id }) => id),
    );
    const objects = cloudObjects(this.#real).filter(({ key }) => mine.has(key.slice(0, 36)));
    const stored = storedResources(this.#real, instance);
    const kept = new Set(stored.map(({ id, lostToken }) => lostToken ?? id));
    const there = new Set(objects.map(({ id }) => id));
    // A failed delete may have taken effect: the next plan repeats it.
    const given = new Set(
      (this.#steps[instance] ?? [])
        .filter(
          ({ entry: { kind, verb } }) =>
            verb === "delete" && (kind === "failed" || kind === "stopped"),
        )
        .map(({ resource }) => resource),
    );
    for (const { name, id, lostToken } of stored)
      this.#problem(
        lostToken === undefined &&
          !there.has(id) &&
          !this.#model.deletedOutside.has(id) &&
          !given.has(name),
        `The state of instance ${instance} has ${name} ${id}, which the cloud does not have`,
      );
    const strays = objects.filter(({ id, key }) => !kept.has(id) && !kept.has(key));
    const released = (this.#steps[instance] ?? []).filter(
      ({ step, resource, entry }) =>
        step.startsWith("delete:") &&
        resource === "keep" &&
        entry.kind === "done" &&
        entry.verb === "none",
    );
    for (const { name, id, key } of strays)
      this.#problem(
        name !== "keep",
        `The cloud has ${name} ${id} of ${key}, which is not in the state of instance ${instance}`,
      );
    this.#problem(
      strays.length > released.length,
      `${strays.length} objects are not in the state of instance ${instance}, but only ${released.length} were retained`,
    );
  }

  /** The gate has a claim for each object in the state, and no other. */
  #claimsMatchTheState(instance: number): void {
    if (!hasTable(this.#real.gate, "claims")) return;
    const claimed = this.#real.gate.storage
      .rows("SELECT object_id AS id FROM claims WHERE instance_id = ? ORDER BY object_id", [
        this.#real.instanceIds[instance],
      ])
      .map(({ id }) => String(id));
    const stored = storedResources(this.#real, instance)
      .filter(({ lostToken }) => lostToken === undefined)
      .map(({ id }) => id)
      .sort();
    this.#problem(
      !isDeepStrictEqual(claimed, stored),
      `Instance ${instance} has claimed ${claimed.join()}, its state has ${stored.join()}`,
    );
  }

  #rowMatchesTheRunner(instance: number): void {
    const runner = this.#real.runner(instance);
    const [row] = this.#real.d1.rows(
      "SELECT state, drift, state_serial AS serial FROM instances WHERE id = ?",
      [this.#real.instanceIds[instance]],
    );
    if (!hasTable(runner, "facts")) return;
    const facts = new Map(
      runner.storage.rows("SELECT name, value FROM facts").map(({ name, value }) => [name, value]),
    );
    const serial = Number(facts.get("serial") ?? 0);
    this.#problem(
      row?.["serial"] !== serial,
      `D1 has serial ${String(row?.["serial"])}, the runner ${serial}`,
    );
    const drifted = (facts.get("drift") ?? "") !== "";
    this.#problem(
      row?.["drift"] === "DRIFTED" && !drifted,
      "D1 says DRIFTED, but the runner has no drift",
    );
    this.#problem(
      row?.["drift"] === "IN_SYNC" && drifted,
      "D1 says IN_SYNC, but the runner has drift",
    );
    const state = String(row?.["state"]);
    this.#problem(/(ING|ED_AT)$/.test(state), `Instance ${instance} rests in ${state}`);
    const last = this.#lastChange(instance);
    if (last?.state === "SUCCEEDED" || last?.state === "NO_CHANGES") {
      const due = last.operation === "destroy" ? "DESTROYED" : "ACTIVE";
      this.#problem(
        state !== due,
        `Instance ${instance} is ${state} after ${last.operation} ${last.state}`,
      );
    }
  }

  /** The last run that could change the instance. */
  #lastChange(instance: number): DeploymentRow | undefined {
    return this.#rows
      .filter(
        ({ id, operation, timestamps, state }) =>
          this.#asked(id)?.instance === instance &&
          changing.has(operation) &&
          ("APPLYING" in timestamps || state === "NO_CHANGES"),
      )
      .sort((a, b) => begun(a) - begun(b) || (a.id < b.id ? -1 : 1))
      .at(-1);
  }

  /** After a successful change the state is exactly the program with its variables. */
  #successMatchesTheRequest(instance: number): void {
    const last = this.#lastChange(instance);
    const asked = last && this.#asked(last.id);
    if (asked === undefined || (last?.state !== "SUCCEEDED" && last?.state !== "NO_CHANGES"))
      return;
    const stored = storedResources(this.#real, instance);
    const expected =
      asked.version === null
        ? {}
        : expectedObjects(this.#model.program(asked.version), { ...defaults, ...asked.variables });
    const ids = new Map(stored.map(({ name, id }) => [name, id]));
    const found = Object.fromEntries(stored.map(({ name, inputs }) => [name, inputs]));
    const due = Object.fromEntries(
      Object.entries(expected).map(([name, { properties }]) => [
        name,
        withIds(properties, (one) => ids.get(one)),
      ]),
    );
    this.#problem(
      stored.some(({ pendingDelete }) => pendingDelete),
      `${last.id} succeeded and left objects whose delete is pending`,
    );
    this.#problem(
      !isDeepStrictEqual(found, due),
      `After ${last.id} the state is ${JSON.stringify(found)}, not ${JSON.stringify(due)}`,
    );
  }
}

function begun({ timestamps }: DeploymentRow): number {
  return timestamps["APPLYING"] ?? timestamps["PLANNING"] ?? 0;
}
