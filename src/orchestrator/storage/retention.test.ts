/** Retention of ended deployments in a runner, at the boundary of each rule. */
import { describe, expect, it } from "vitest";
import { emptySnapshot } from "#orchestrator/projection/snapshot.ts";
import { derivedId } from "#platform/ids.ts";
import { Random } from "#test/simulation/random.ts";
import { Sqlite, sqlStorageOver } from "#test/simulation/sqlite.ts";
import { note } from "./journal.ts";
import { close } from "./run.ts";
import { RunnerStore } from "./runner-store.ts";

const DAY_MS = 24 * 3_600_000;
const NOW_MS = 100 * DAY_MS;
const owner = { tenantId: "t", instanceId: "i" };

function makeStore() {
  const sql = sqlStorageOver(new Sqlite(() => new Random(1)), () => undefined);
  const storage = { sql, transactionSync: (work: () => unknown) => work() };
  const store = new RunnerStore(storage as unknown as DurableObjectStorage);
  /** The id of the n-th deployment created at that time. */
  const idAt = (atMs: number, n = 0) => derivedId(atMs, n.toString(16).padStart(32, "0"));
  const add = (id: string, { open = false, lines = 1 } = {}): string => {
    store.runs.add({ deploymentId: id, ...owner });
    for (let at = 0; at < lines; at += 1) store.journal.append(id, 0, null, note("a line"));
    const run = store.runs.get(id);
    if (run === undefined) throw new Error("The run is not stored");
    if (!open) close(run);
    store.runs.save(run);
    return id;
  };
  const snapshot = (id: string, atMs: number, acked = 1) =>
    store.snapshots.put({
      ...emptySnapshot({ deploymentId: id, ...owner }, acked),
      number: 1,
      atMs,
    });
  const prune = (nowMs = NOW_MS) => {
    let calls = 1;
    while (store.prune(nowMs)) calls += 1;
    return calls;
  };
  return { store, idAt, add, snapshot, prune };
}

describe("a log", () => {
  it("is kept among the newest fifty, and no other", () => {
    const { store, idAt, add, prune } = makeStore();
    const ids = Array.from({ length: 53 }, (_, at) => add(idAt(NOW_MS - DAY_MS, at)));
    prune();
    expect(ids.filter((id) => store.journal.has(id))).toEqual(ids.slice(3));
    expect(ids.filter((id) => store.runs.phaseOf(id) !== undefined)).toEqual(ids.slice(3));
  });

  it("is kept for thirty days, and not a moment longer", () => {
    const { store, idAt, add, prune } = makeStore();
    const old = add(idAt(NOW_MS - 30 * DAY_MS - 1));
    const kept = add(idAt(NOW_MS - 30 * DAY_MS));
    prune();
    expect([old, kept].map((id) => store.journal.has(id))).toEqual([false, true]);
  });

  it("is kept while its run is open, its effect cannot be told, or D1 lacks its end", () => {
    const { store, idAt, add, snapshot, prune } = makeStore();
    const open = add(idAt(1), { open: true });
    const unreadable = add(idAt(2), { open: true });
    const run = store.runs.get(unreadable);
    if (run === undefined) throw new Error("The run is not stored");
    run.plan = { steps: [] } as never;
    store.runs.save(run);
    store.runs.closeUnreadable(run, true);
    const pending = add(idAt(3));
    snapshot(pending, 1, 0);
    const ended = add(idAt(4));
    prune();
    expect([open, unreadable, pending, ended].map((id) => store.journal.has(id))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it("is removed in bounded parts", () => {
    const { store, idAt, add } = makeStore();
    const long = add(idAt(1), { lines: 1_001 });
    const others = Array.from({ length: 5 }, (_, at) => add(idAt(2, at)));
    expect(store.prune(NOW_MS)).toBe(true);
    expect(store.journal.has(long)).toBe(true);
    expect(others.map((id) => store.journal.has(id))).toEqual([false, false, false, false, true]);
    expect(store.prune(NOW_MS)).toBe(true);
    expect(store.journal.has(long)).toBe(false);
  });
});

describe("a snapshot", () => {
  it("is kept for thirty days after its last change, and not a moment longer", () => {
    const { store, idAt, snapshot, prune } = makeStore();
    const ids = [0, 1].map((at) => idAt(1, at));
    ids.forEach((id, at) => snapshot(id, NOW_MS - 30 * DAY_MS - 1 + at));
    prune();
    expect(ids.map((id) => store.snapshots.get(id) !== undefined)).toEqual([false, true]);
  });

  it("is kept among the newest so many", () => {
    const { store, idAt, snapshot } = makeStore();
    const ids = Array.from({ length: 4 }, (_, at) => idAt(NOW_MS, at));
    for (const id of ids) snapshot(id, NOW_MS);
    expect(store.snapshots.prune(0, 2, 100)).toBe(2);
    expect(store.snapshots.idsAfter("", 9)).toEqual(ids.slice(2));
    expect(store.snapshots.prune(0, 2, 100)).toBe(0);
  });

  it("is kept while its run is open, or D1 lacks it", () => {
    const { store, idAt, add, snapshot, prune } = makeStore();
    const open = add(idAt(1), { open: true });
    const pending = add(idAt(2));
    const ended = add(idAt(3));
    snapshot(open, 1);
    snapshot(pending, 1, 0);
    snapshot(ended, 1);
    prune();
    expect(store.snapshots.idsAfter("", 9)).toEqual([open, pending]);
  });

  it("is removed in bounded parts", () => {
    const { store, idAt, snapshot } = makeStore();
    for (let at = 0; at < 4; at += 1) snapshot(idAt(1, at), 1);
    expect(store.snapshots.prune(NOW_MS, 9, 3)).toBe(3);
    expect(store.snapshots.prune(NOW_MS, 9, 3)).toBe(1);
  });
});
