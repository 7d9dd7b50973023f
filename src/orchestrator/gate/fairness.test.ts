/**
 * Fairness between tenants at the gate of a shared target, in simulated time and for many seeds. Tenants have random
 * loads: some start many runs, some runs take long, and some leave, come back or die with their slot.
 */
import { describe, expect, it } from "vitest";
import { Random } from "#test/simulation/random.ts";
import { Sqlite, sqlStorageOver } from "#test/simulation/sqlite.ts";
import { countFor } from "#test/support/depth.ts";
import type { CallShare, SeenBudget, UsedShare } from "./call-share.ts";
import { CallShares } from "./call-shares.ts";
import { PlacesTable } from "./places-table.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";

const SEEDS = countFor({ ordinary: 20, deep: 500 });
/** In milliseconds. Five hundred seeds take half a minute alone. */
const LONG = { timeout: 600_000 };

/** Jain's index. 1: all have the same. 1 / n: one of n has everything. */
function jainIndex(had: readonly number[]): number {
  const sum = had.reduce((all, one) => all + one, 0);
  const squares = had.reduce((all, one) => all + one * one, 0);
  return squares === 0 ? 1 : (sum * sum) / (had.length * squares);
}

/** The gate's next run takes each slot. Returns the most turns that one tenant had while another waited. */
function simulateSlots(seed: number): number {
  const random = new Random(seed);
  const places = new PlacesTable(sqlStorageOver(new Sqlite(() => random), () => undefined));
  const capacity = 1 + random.below(4);
  places.setCapacity(capacity, 1);
  const tenants = Array.from({ length: 2 + random.below(5) }, (_, n) => ({
    id: `t${n}`,
    waiting: [] as string[],
    // The turns of each other tenant while this one waits without a slot.
    turnsOf: undefined as Map<string, number> | undefined,
  }));
  const holders = new Map<string, { tenantId: string; untilMs: number; diesMs: number }>();
  let [runs, most] = [0, 0];
  /** Counts a turn for each tenant that waits without a slot now. */
  const look = () => {
    const holding = new Set([...holders.values()].map(({ tenantId }) => tenantId));
    for (const tenant of tenants)
      tenant.turnsOf =
        tenant.waiting.length === 0 || holding.has(tenant.id)
          ? undefined
          : (tenant.turnsOf ?? new Map<string, number>());
  };
  const ask = (tenantId: string, deploymentId: string, nowMs: number) => {
    const asked = { deploymentId, instanceId: deploymentId, tenantId };
    if (!places.take(asked, nowMs).granted) return;
    const untilMs = nowMs + 1 + random.below(random.chance(0.1) ? 60_000 : 2_000);
    const diesMs = random.chance(0.02) ? nowMs + SLOT_LEASE_MS : Infinity;
    holders.set(deploymentId, { tenantId, untilMs, diesMs });
    if (holders.size > capacity) throw new Error(`${holders.size} runs hold ${capacity} slots`);
    const own = [...holders.values()].filter((holder) => holder.tenantId === tenantId).length;
    if (capacity > 1 && own === capacity) throw new Error(`${tenantId} holds all ${own} slots`);
    for (const tenant of tenants) {
      tenant.waiting = tenant.waiting.filter((one) => one !== deploymentId);
      const turns = (tenant.turnsOf?.get(tenantId) ?? 0) + 1;
      tenant.turnsOf?.set(tenantId, turns);
      if (tenant.turnsOf !== undefined && tenant.id !== tenantId) most = Math.max(most, turns);
    }
    look();
  };
  for (let nowMs = 0; nowMs < 300_000; nowMs += 1_000) {
    for (const [deploymentId, { tenantId, untilMs, diesMs }] of holders) {
      if (diesMs === Infinity && untilMs > nowMs)
        places.take({ deploymentId, instanceId: deploymentId, tenantId }, nowMs);
      if (diesMs === Infinity && untilMs <= nowMs) places.leave(deploymentId);
      else if (diesMs >= nowMs) continue;
      holders.delete(deploymentId);
    }
    places.dropLapsed(nowMs);
    look();
    for (const tenant of tenants) {
      // Some leave with one run and come with the next; some start many runs at once.
      const [leaving] = tenant.waiting;
      if (leaving !== undefined && random.chance(0.03)) {
        places.leave(leaving);
        tenant.waiting.shift();
        look();
      }
      const known = tenant.waiting.length;
      const starts = random.chance(0.05) ? 20 : Number(random.chance(0.3));
      for (let n = 0; n < starts && tenant.waiting.length < 20; n += 1)
        tenant.waiting.push(`${tenant.id}-${(runs += 1)}`);
      look();
      // New runs ask at once; waiting runs renew their places.
      const asking = nowMs % 20_000 === 0 ? tenant.waiting : tenant.waiting.slice(known);
      for (const one of asking) ask(tenant.id, one, nowMs);
    }
    for (let next = places.next(); next !== undefined; next = places.next())
      ask(next.tenantId, next.deploymentId, nowMs);
  }
  return most;
}

describe("slots", () => {
  it(
    `go at most once to each other tenant while one waits without any, and never all to one tenant (${SEEDS} seeds)`,
    LONG,
    () => {
      for (let seed = 1; seed <= SEEDS; seed += 1)
        expect(simulateSlots(seed), `seed ${seed}`).toBeLessThanOrEqual(1);
    },
  );
});

/** All tenants want more calls than exist. Returns the number of calls that each has made. */
function simulateCalls(seed: number): number[] {
  const random = new Random(seed);
  const startMs = 1_000_000;
  let nowMs = startMs;
  const sql = sqlStorageOver(new Sqlite(() => random), () => undefined);
  const shares = new CallShares(sql, () => nowMs);
  const made = Array.from({ length: 2 + random.below(4) }, () => 0);
  const concurrency = 4 + random.below(5);
  const whole = random.chance(0.5) ? Infinity : 100 + random.below(400);
  const runs = made.flatMap((_, tenant) =>
    Array.from({ length: 1 + random.below(random.chance(0.3) ? 20 : 3) }, (_run, n) => ({
      id: `t${tenant}-${n}`,
      tenant,
      share: undefined as CallShare | undefined,
      left: 0,
      used: 0,
      seen: undefined as SeenBudget | undefined,
      untilMs: startMs + random.below(1_000),
    })),
  );
  type Run = (typeof runs)[number];
  const report = (run: Run): UsedShare => {
    const used = {
      ...(run.share === undefined ? {} : { share: run.share.number }),
      ...(run.seen === undefined ? {} : { seen: run.seen }),
      made: run.used,
      inFlight: 0,
    };
    [run.share, run.left, run.used, run.seen] = [undefined, 0, 0, undefined];
    return used;
  };
  const ask = (run: Run) => {
    const who = { deploymentId: run.id, instanceId: run.id, tenantId: `t${run.tenant}` };
    const { share, recall } = shares.next(who, { ...report(run), concurrency });
    run.untilMs = nowMs + (share.wait?.forMs ?? share.forMs);
    if (share.wait === undefined) [run.share, run.left] = [share, share.calls ?? Infinity];
    for (const { deploymentId } of recall) {
      const other = runs.find(({ id }) => id === deploymentId);
      if (other === undefined) continue;
      shares.giveBack(deploymentId, report(other));
      other.untilMs = nowMs + 250;
    }
  };
  let [nth, budget] = [0, whole];
  for (; nowMs < startMs + 600_000; nowMs += 250) {
    const window = Math.floor((nowMs - startMs) / 60_000);
    if (window > nth) [nth, budget] = [window, whole];
    for (const run of runs) {
      const isUsedUp = run.share !== undefined && run.left < 1;
      if (isUsedUp || run.untilMs <= nowMs) ask(run);
    }
    // A call takes a quarter of a second.
    let atOnce = 0;
    for (const run of runs) {
      const calls = Math.min(run.share?.concurrent ?? 0, run.left);
      atOnce += calls;
      if (budget < calls) throw new Error(`A call too many in minute ${window}`);
      [run.left, run.used, budget] = [run.left - calls, run.used + calls, budget - calls];
      made[run.tenant] = (made[run.tenant] ?? 0) + calls;
      if (calls === 0 || whole === Infinity) continue;
      const resetInMs = startMs + (window + 1) * 60_000 - nowMs;
      run.seen = { remaining: budget, resetInMs, since: run.share?.number ?? 0 };
      // The first answer that tells a budget ends an unlimited share.
      run.left = run.share?.calls === null ? 0 : Math.min(run.left, budget);
    }
    if (atOnce > concurrency) throw new Error(`${atOnce} calls at once`);
  }
  return made;
}

describe("calls", () => {
  it(
    `are divided almost equally among tenants that want more, however many runs each has (${SEEDS} seeds)`,
    LONG,
    () => {
      let sum = 0;
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const made = simulateCalls(seed);
        const mean = made.reduce((all, one) => all + one, 0) / made.length;
        const what = `seed ${seed}: ${made.join()}`;
        const index = jainIndex(made);
        sum += index;
        expect(index, what).toBeGreaterThan(0.7);
        expect(Math.min(...made), what).toBeGreaterThan(mean / 4);
      }
      expect(sum / SEEDS).toBeGreaterThan(0.9);
    },
  );
});
