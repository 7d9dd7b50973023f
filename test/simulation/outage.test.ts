/** Runs while D1 cannot be reached for five minutes: they keep their turns, and steps need no D1. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { storedPlaces } from "#test/support/places.ts";
import { plainWorld } from "./kinds.ts";
import { Simulation } from "./simulation.ts";
import { hasTable } from "./stored.ts";
import { fine } from "./weather.ts";

const OUTAGE_MS = 5 * 60_000;
const LOOK_EVERY_MS = 10_000;
const HOLDER = "a holder that the test plans";

let real: Simulation;
beforeEach(async () => {
  for (const name of ["log", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation(() => undefined);
  real = await Simulation.begin(7, plainWorld);
});
afterEach(() => {
  real.end();
  vi.restoreAllMocks();
});

const start = async (instance: number): Promise<string> => {
  const path = `/instances/${real.instanceIds[instance]}/deploy`;
  const { status, body } = await real.ask("POST", path);
  expect(status).toBe(202);
  return body.id;
};
const until = async (what: string, reached: () => boolean): Promise<void> => {
  await real.time.passUntil(real.time.nowMs + OUTAGE_MS, reached);
  expect(reached(), what).toBe(true);
};
const stateOf = (id: string): unknown =>
  real.d1.rows("SELECT state FROM deployments WHERE id = ?", [id])[0]?.["state"];
const startedAt = (id: string): number =>
  Number(
    real.d1.rows("SELECT timestamps ->> '$.PLANNING' AS at FROM deployments WHERE id = ?", [
      id,
    ])[0]?.["at"],
  );
const runOf = (instance: number, id: string) => {
  const runner = real.runner(instance);
  if (!hasTable(runner, "runs")) return undefined;
  return runner.storage.rows("SELECT phase, ticket, approved FROM runs WHERE deployment_id = ?", [
    id,
  ])[0];
};
/** The places whose leases have not lapsed, in their order. */
const places = () =>
  storedPlaces((query) => real.gate.storage.rows(query))
    .filter(({ untilMs }) => untilMs >= real.time.nowMs)
    .map(({ id, holds }) => [id, holds]);
const askGate = (method: "acquire" | "release", request: unknown): Promise<unknown> =>
  real.finish(method, Promise.resolve(real.platform.wake(real.gate).instance[method]?.(request)));
const holdSlot = () =>
  askGate("acquire", { deploymentId: HOLDER, instanceId: HOLDER, capacity: 1 });

/** Lets the outage pass, and looks at everything again and again. */
async function endureOutage(look: () => Promise<void>): Promise<void> {
  const untilMs = real.time.nowMs + OUTAGE_MS;
  while (real.time.nowMs < untilMs) {
    await real.pass(LOOK_EVERY_MS);
    await look();
  }
}

it.each(["before", "after"])(
  "keeps the places and the order of waiting runs when D1 is lost %s it knows that they wait",
  async (when) => {
    await holdSlot();
    const ids: string[] = [];
    for (const instance of [0, 1]) {
      const id = await start(instance);
      ids.push(id);
      if (when === "before" && instance === 1) break;
      await until("it waits", () => runOf(instance, id)?.["ticket"] != null);
    }
    await until("both have a place", () => places().length === 3);
    real.platform.weather = { ...fine, d1: 1 };
    await endureOutage(async () => {
      await holdSlot();
      expect(places()).toEqual([[HOLDER, 1], ...ids.map((id) => [id, 0])]);
    });
    real.platform.weather = fine;
    await askGate("release", HOLDER);
    await real.rest();
    expect(ids.map(stateOf)).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    const [first = 0, second = 0] = ids.map(startedAt);
    expect(second).toBeGreaterThan(first);
    expect(real.watches.violations).toEqual([]);
  },
);

it("keeps the turn of an approved run that must read its safeguards, and reads them rarely", async () => {
  const asked = await real.ask("PATCH", `/instances/${real.instanceIds[0]}`, {
    approvalMode: "always",
  });
  expect(asked.status).toBe(200);
  const approved = await start(0);
  await until("it waits for approval", () => stateOf(approved) === "AWAITING_APPROVAL");
  await real.rest();
  await holdSlot();
  const path = `/deployments/${approved}/approve`;
  const approval = await real.ask("POST", path, undefined, { approver: true });
  expect(approval.status).toBe(202);
  await until("it waits for a slot", () => runOf(0, approved)?.["ticket"] != null);
  let reads = 0;
  real.platform.weather = {
    ...fine,
    get d1() {
      reads += 1;
      return 1;
    },
  };
  await askGate("release", HOLDER);
  await until("it has the slot", () => places()[0]?.[1] === 1);
  expect(await holdSlot()).toMatchObject({ granted: false });
  await endureOutage(async () => {
    await holdSlot();
    expect(places()).toEqual([
      [approved, 1],
      [HOLDER, 0],
    ]);
  });
  expect(reads).toBeGreaterThan(10);
  expect(reads).toBeLessThan(30);
  expect(real.watches.trace).toEqual([]);
  await askGate("release", HOLDER);
  await real.rest();
  expect(stateOf(approved)).toBe("SUCCEEDED");
});

it("ends the steps of a run that once waited", async () => {
  await holdSlot();
  const id = await start(0);
  await until("it waits", () => runOf(0, id)?.["ticket"] != null);
  // Longer than a third of the slot's lease, so that the run has to renew it between its calls.
  real.platform.weather = { ...fine, readyAfterMs: 60_000 };
  await askGate("release", HOLDER);
  await until("it applies", () => stateOf(id) === "APPLYING" && real.watches.trace.length > 0);
  real.platform.weather = { ...fine, d1: 1, readyAfterMs: 60_000 };
  const calls = real.watches.trace.length;
  await until("the run has ended", () => runOf(0, id)?.["phase"] === "closed");
  expect(real.watches.trace.length).toBeGreaterThan(calls + 4);
  await real.rest();
  expect(stateOf(id)).toBe("SUCCEEDED");
  expect(real.watches.violations).toEqual([]);
});
