/** Runs of one target share the calls that its cloud takes: in virtual time, with the real gate's and runs' bookkeeping. */
import { describe, expect, it } from "vitest";
import { CallShares } from "#orchestrator/gate/call-shares.ts";
import { RunCalls } from "#orchestrator/gate/run-calls.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { partOf } from "#test/support/depth.ts";
import { Random } from "./random.ts";
import { Sqlite, sqlStorageOver } from "./sqlite.ts";
import { VirtualTime } from "./virtual-time.ts";

const START_MS = Date.UTC(2026, 0, 1);
const WINDOW_MS = 60_000;
const PER_WINDOW = 60;

interface Setting {
  runs: number;
  callsEach: number;
  concurrency: number;
  /** Requests of each call. */
  requests?: number;
  /** So many tenants share the target, of which the last has one run. */
  tenants?: number;
  /** The cloud does not tell its budget. */
  silent?: true;
  /** Another tool makes so many calls in each window. */
  stranger?: number;
  /** Chance that a run dies after a call; half of them for ever. */
  deaths?: number;
  /** Chance that a message between gate and runs is lost. */
  lost?: number;
  seed: number;
}

/** A cloud that takes 60 calls a minute and tells how many are left. */
class Cloud {
  inFlight = 0;
  mostInFlight = 0;
  refused = 0;
  readonly #time: VirtualTime;
  readonly #windows = new Map<number, number>();

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** `ours`: not another tool's. */
  take(ours = true): { ok: boolean; remaining: number; resetMs: number } {
    const window = Math.floor((this.#time.nowMs - START_MS) / WINDOW_MS);
    const used = (this.#windows.get(window) ?? 0) + 1;
    this.#windows.set(window, used);
    if (used > PER_WINDOW && ours) this.refused += 1;
    const resetMs = START_MS + (window + 1) * WINDOW_MS;
    return { ok: used <= PER_WINDOW, remaining: Math.max(0, PER_WINDOW - used), resetMs };
  }
}

async function simulate(setting: Setting) {
  const random = new Random(setting.seed);
  const time = new VirtualTime(START_MS);
  const cloud = new Cloud(time);
  const database = new Sqlite(() => random);
  const shares = new CallShares(
    sqlStorageOver(database, () => undefined),
    // The gate's clock is another one.
    () => time.nowMs + 5_000_000,
  );
  const calls = new Map<string, RunCalls>();
  const asked = new Map<string, number>();
  const madeAt = new Map<string, number[]>();
  let deaths = 0;
  const moment = () => time.wait(1 + random.below(30));
  const isLost = () => random.chance(setting.lost ?? 0);

  const tenantOf = (deploymentId: string): { tenantId?: string } => {
    const { tenants, runs } = setting;
    if (tenants === undefined) return {};
    const n = Number(deploymentId.slice(1));
    return { tenantId: `t${n === runs - 1 ? tenants - 1 : n % (tenants - 1)}` };
  };

  const ask = async (deploymentId: string, own: RunCalls): Promise<void> => {
    asked.set(deploymentId, (asked.get(deploymentId) ?? 0) + 1);
    const atMs = time.nowMs;
    const request = structuredClone(own.request(setting.concurrency));
    await moment();
    if (isLost()) return;
    const { share, recall } = database.atomically(() =>
      shares.next(
        { deploymentId, instanceId: `i-${deploymentId}`, ...tenantOf(deploymentId) },
        request,
      ),
    );
    for (const one of recall)
      void (async () => {
        await moment();
        if (isLost()) return;
        const used = calls.get(one.deploymentId)?.giveUp() ?? null;
        await moment();
        if (isLost()) return;
        database.atomically(() => {
          if (used === null) shares.remove(one.deploymentId, one.number);
          else shares.giveBack(one.deploymentId, used);
        });
      })();
    await moment();
    if (!isLost()) own.accept(share, atMs);
  };

  const context: ProviderContext = {
    targetId: "t",
    region: "r",
    config: {},
    credential: null,
    now: () => time.nowMs,
    fetch: async () => {
      cloud.inFlight += 1;
      cloud.mostInFlight = Math.max(cloud.mostInFlight, cloud.inFlight);
      await time.wait(10 + random.below(150));
      const { ok, remaining, resetMs } = cloud.take();
      await time.wait(10 + random.below(150));
      cloud.inFlight -= 1;
      const headers = { remaining: `${remaining}`, reset: `${resetMs}` };
      return new Response(null, { status: ok ? 200 : 429, headers });
    },
  };

  const run = async (id: string): Promise<boolean> => {
    let left = setting.callsEach;
    let own = new RunCalls(() => time.nowMs);
    calls.set(id, own);
    madeAt.set(id, []);
    const inFlight = new Set<Promise<void>>();
    const call = async (mine: RunCalls): Promise<void> => {
      const permit = mine.begin();
      if (permit === undefined) {
        left += 1;
        return;
      }
      const its = permit.context(context);
      for (let n = 0; n < (setting.requests ?? 1); n += 1) {
        const answer = await its.fetch(new Request("https://cloud.example"));
        const resetMs = Number(answer.headers.get("reset"));
        if (setting.silent === undefined)
          its.budget?.({ remaining: Number(answer.headers.get("remaining")), resetMs });
        if (answer.status !== 429) continue;
        mine.throttled(resetMs - time.nowMs);
        left += 1;
        break;
      }
      permit.end();
      madeAt.get(id)?.push(time.nowMs);
    };
    while (left > 0 || inFlight.size > 0) {
      if (left > 0 && own.due) await ask(id, own);
      const mine = own;
      for (let free = Math.min(own.free, left); free > 0; free -= 1) {
        left -= 1;
        const started: Promise<void> = call(mine).finally(() => inFlight.delete(started));
        inFlight.add(started);
      }
      if (inFlight.size > 0) await Promise.race([...inFlight, time.wait(10_000)]);
      else if (left > 0) await time.wait(Math.max(1, (own.waitsUntilMs ?? 0) - time.nowMs));
      if (!random.chance(setting.deaths ?? 0)) continue;
      // The runner dies with its calls in flight: they take effect, and nobody hears their answers.
      deaths += 1;
      left += inFlight.size;
      inFlight.clear();
      calls.delete(id);
      if (random.chance(0.5)) return false;
      await time.wait(random.below(20_000));
      own = new RunCalls(() => time.nowMs);
      calls.set(id, own);
    }
    calls.delete(id);
    if (own.counts) {
      const used = own.giveUp();
      database.atomically(() => shares.giveBack(id, used));
    }
    database.atomically(() => shares.remove(id));
    return true;
  };

  const ended: { id: string; atMs: number }[] = [];
  let over = 0;
  for (let n = 0; n < setting.runs; n += 1) {
    const id = `d${String(n).padStart(2, "0")}`;
    void (async () => {
      const finished = await run(id);
      over += 1;
      if (finished) ended.push({ id, atMs: time.nowMs - START_MS });
    })();
  }
  const { stranger } = setting;
  if (stranger !== undefined)
    void (async () => {
      for (;;) {
        await time.wait(WINDOW_MS / stranger);
        cloud.take(false);
      }
    })();
  await time.passUntil(START_MS + 3_600_000, () => over === setting.runs);
  const asks = [...asked.values()].reduce((sum, n) => sum + n, 0);
  return { cloud, ended, asks, deaths, over, madeAt, tookMs: time.nowMs - START_MS };
}

const seeds = partOf([1, 2, 3, 4, 5], 3);

describe("the calls of thirty runs of one target", { timeout: 60_000 }, () => {
  it.for([
    [30, 6],
    [30, 40],
    [3, 6],
    [1, 6],
  ] as const)(
    "(%i at the same time, %i calls at once) never exceed 60 a minute, and all end",
    async ([runs, concurrency]) => {
      for (const seed of seeds) {
        const callsEach = 360 / runs;
        const { cloud, ended, asks, tookMs, madeAt } = await simulate({
          runs,
          callsEach,
          concurrency,
          seed,
        });
        expect(cloud.refused, `seed ${seed}`).toBe(0);
        expect(cloud.mostInFlight).toBeLessThanOrEqual(concurrency);
        expect(ended).toHaveLength(runs);
        // Six minutes is what 360 calls take at best.
        expect(tookMs).toBeLessThan(8 * WINDOW_MS);
        if (runs < 30) expect(asks).toBeLessThan(250);
        // Nobody starves: everybody has called within two minutes, and goes on.
        for (const times of madeAt.values()) {
          const gaps = times.map((atMs, at) => atMs - (times[at - 1] ?? START_MS));
          expect(Math.max(...gaps)).toBeLessThan(2.2 * WINDOW_MS);
        }
      }
    },
  );

  it("do not cost a request to the gate as long as no answer tells a budget", async () => {
    const { asks, cloud, tookMs } = await simulate({
      runs: 1,
      callsEach: 50,
      concurrency: 6,
      silent: true,
      seed: 1,
    });
    // One share, which a run with a slot gets with the slot.
    expect(asks).toBe(1);
    expect([cloud.refused, cloud.mostInFlight]).toEqual([0, 6]);
    expect(tookMs).toBeLessThan(WINDOW_MS);
  });

  it("are held back for all when the cloud refuses one, although it tells no budget", async () => {
    for (const seed of seeds) {
      const { cloud, ended } = await simulate({
        runs: 10,
        callsEach: 20,
        concurrency: 6,
        silent: true,
        seed,
      });
      expect(ended).toHaveLength(10);
      // In each of at most four minutes, those that were in flight, and none after the word had spread.
      expect(cloud.refused, `seed ${seed}`).toBeLessThanOrEqual(4 * 12);
    }
  });

  it("never exceed the provider's concurrency, however few calls it allows", async () => {
    for (const seed of seeds) {
      const { cloud, ended } = await simulate({ runs: 8, callsEach: 6, concurrency: 2, seed });
      expect(cloud.mostInFlight).toBeLessThanOrEqual(2);
      expect(ended).toHaveLength(8);
      const times = ended.map(({ atMs }) => atMs);
      expect(Math.max(...times)).toBeLessThan(2.5 * WINDOW_MS);
    }
  });

  it("go to tenants in equal parts: the only run of one ends long before the many of others", async () => {
    for (const seed of seeds) {
      const { cloud, ended } = await simulate({
        runs: 31,
        tenants: 3,
        callsEach: 12,
        concurrency: 6,
        seed,
      });
      expect(cloud.refused, `seed ${seed}`).toBe(0);
      expect(cloud.mostInFlight).toBeLessThanOrEqual(6);
      expect(ended).toHaveLength(31);
      const times = ended.map(({ atMs }) => atMs);
      const single = ended.find(({ id }) => id === "d30")?.atMs ?? Number.NaN;
      expect(single).toBeLessThan(2 * WINDOW_MS);
      expect(Math.max(...times)).toBeGreaterThan(5 * WINDOW_MS);
      expect(Math.max(...times)).toBeLessThan(9 * WINDOW_MS);
    }
  });

  it("exceed the budget by the further requests of calls in flight alone, where a call needs several", async () => {
    for (const seed of seeds) {
      const { cloud, ended } = await simulate({
        runs: 10,
        callsEach: 15,
        concurrency: 6,
        requests: 2,
        seed,
      });
      expect(ended).toHaveLength(10);
      // Six calls at the same time, at the end of each of six minutes.
      expect(cloud.refused, `seed ${seed}`).toBeLessThanOrEqual(6 * 6);
    }
  });

  it("leave room for another tool that uses the same account", async () => {
    for (const seed of seeds) {
      const { cloud, ended } = await simulate({
        runs: 5,
        callsEach: 24,
        concurrency: 6,
        stranger: 30,
        seed,
      });
      expect(ended).toHaveLength(5);
      // The tool may take the last calls of a share: one refused call a run, in each of its minutes.
      expect(cloud.refused, `seed ${seed}`).toBeLessThanOrEqual(5 * 5);
    }
  });

  it("go on when runners die and messages are lost, and one call a death is all that it costs", async () => {
    for (const seed of seeds) {
      const { cloud, over, deaths, tookMs } = await simulate({
        runs: 30,
        callsEach: 12,
        concurrency: 6,
        deaths: 0.02,
        lost: 0.02,
        seed,
      });
      expect(deaths).toBeGreaterThan(0);
      expect(over).toBe(30);
      expect(cloud.refused, `seed ${seed}`).toBeLessThanOrEqual(deaths);
      expect(tookMs).toBeLessThan(12 * WINDOW_MS);
    }
  });
});
