import { describe, expect, it } from "vitest";
import { Random } from "#test/simulation/random.ts";
import { Sqlite, sqlStorageOver } from "#test/simulation/sqlite.ts";
import type { ShareRequest } from "./call-share.ts";
import { CallShares } from "./call-shares.ts";

const LAPSED_MS = 60_001;

function makeShares() {
  const at = { nowMs: 1_000_000 };
  const sql = sqlStorageOver(new Sqlite(() => new Random(1)), () => undefined);
  const shares = new CallShares(sql, () => at.nowMs);
  return {
    at,
    shares,
    ask: (deploymentId: string, more: Partial<ShareRequest> = {}, tenantId?: string) =>
      shares.next(
        { deploymentId, instanceId: deploymentId, ...(tenantId !== undefined && { tenantId }) },
        { made: 0, inFlight: 0, concurrency: 6, ...more },
      ),
  };
}

const HOUR_MS = 3_600_000;
const hourly = (remaining: number, since = 0) => ({
  seen: { remaining, resetInMs: HOUR_MS, since },
});

const seen = (remaining: number, resetInMs = 60_000) => ({
  seen: { remaining, resetInMs, since: 0 },
});

describe("the shares of calls", () => {
  it("are unlimited until an answer tells a budget; it then holds for all runs", () => {
    const { ask } = makeShares();
    const { share } = ask("a");
    expect(share).toMatchObject({ concurrent: 6, calls: null });
    const told = ask("a", { share: share.number, made: 3, ...seen(57) });
    expect(told.share.calls).toBe(57);
    expect(ask("b").share).toMatchObject({ calls: 0, wait: { for: "turn" } });
  });

  it("of checks take one place each, and leave the other places to the next caller", () => {
    const { ask } = makeShares();
    const places = ["a", "b", "c", "d", "e", "f", "g"].map(
      (id) => ask(id, { places: 1 }).share.concurrent,
    );
    expect(places).toEqual([1, 1, 1, 1, 1, 1, 0]);
  });

  it("take a surplus back from one run, and give it to the other", () => {
    const { ask, shares } = makeShares();
    const { share } = ask("a");
    const { share: none, recall } = ask("b");
    expect(none.concurrent).toBe(0);
    expect(recall).toEqual([{ deploymentId: "a", instanceId: "a", number: share.number }]);
    shares.giveBack("a", { share: share.number, made: 2, inFlight: 2 });
    expect(ask("b").share.concurrent).toBe(3);
    // Calls in flight count until they are reported as over.
    expect(ask("a", { inFlight: 2 }).share.concurrent).toBe(3);
  });

  it("of a dead runner lapse, even if its recall is lost", () => {
    const { at, ask } = makeShares();
    ask("dead");
    for (const afterMs of [1_000, 30_000]) {
      at.nowMs = 1_000_000 + afterMs;
      expect(ask("b").share.concurrent).toBe(0);
    }
    at.nowMs = 1_000_000 + LAPSED_MS;
    expect(ask("b").share.concurrent).toBe(6);
  });

  it("with the calls of a dead runner: one more is given, and its answer tells the rest of the budget", () => {
    const { at, ask } = makeShares();
    const first = ask("dead", { concurrency: 12 }).share;
    ask("dead", { share: first.number, concurrency: 3, ...seen(40, 600_000) });
    expect(ask("b", { concurrency: 12 }).share.calls).toBe(0);
    at.nowMs += LAPSED_MS;
    const probe = ask("b", { concurrency: 12 }).share;
    expect(probe.calls).toBe(1);
    const answer = { seen: { remaining: 25, resetInMs: 500_000, since: probe.number } };
    expect(ask("b", { share: probe.number, made: 1, ...answer }).share.calls).toBe(25);
  });

  it("count calls that were given before a reset against the new budget", () => {
    const { at, ask } = makeShares();
    const first = ask("a", { concurrency: 12 }).share;
    const given = ask("a", { share: first.number, concurrency: 3, ...seen(40, 5_000) }).share;
    expect(given.calls).toBe(40);
    at.nowMs += 5_001;
    const next = ask("b", { concurrency: 12 }).share;
    const told = { share: next.number, made: 1, concurrency: 12, ...seen(59) };
    // Forty calls of a may still arrive at the cloud, so b gets half of nineteen.
    expect(ask("b", told).share.calls).toBe(9);
  });

  it("are empty for all while the cloud refuses calls, for an hour at most", () => {
    const { at, ask } = makeShares();
    ask("a");
    const refused = ask("b", { throttledForMs: 86_400_000 });
    expect(refused.share.wait).toEqual({ forMs: 3_600_000, for: "rate" });
    expect(refused.recall.map(({ deploymentId }) => deploymentId)).toEqual(["a"]);
    expect(ask("a").share).toMatchObject({ calls: 0, wait: { for: "rate" } });
    at.nowMs += 3_600_000;
    expect(ask("a").share.calls).toBeNull();
  });

  it("ignore an answer that is older than another run's report", () => {
    const { ask } = makeShares();
    const first = ask("a", { concurrency: 12 }).share;
    const a = ask("a", { share: first.number, concurrency: 3, ...seen(10) }).share;
    expect(a.calls).toBe(10);
    ask("a", { share: a.number, made: 10, concurrency: 3 });
    // This run sent its request before the ten were made.
    expect(ask("b", { concurrency: 12, ...seen(50) }).share.calls).toBe(0);
  });

  it("ignore an answer that is older than the calls of an ended run", () => {
    const { ask, shares } = makeShares();
    const first = ask("a", { concurrency: 12 }).share;
    const told = ask("a", { share: first.number, concurrency: 3, ...seen(4) }).share;
    shares.giveBack("a", { share: told.number, made: 0, inFlight: 0 });
    const ended = ask("ended", { concurrency: 12 }).share;
    const { share } = ask("a", { concurrency: 12 });
    shares.giveBack("ended", { share: ended.number, made: 0, inFlight: 1 });
    shares.remove("ended");
    const late = { share: share.number, made: 1, ...seen(50, 59_000) };
    late.seen.since = share.number;
    expect(ask("a", { concurrency: 12, ...late }).share.calls).toBeLessThan(4);
  });
});

describe("a cloud's answer about its budget", () => {
  it("holds runs for an hour at most, however late its reset is: the next answer corrects it", () => {
    const { at, ask } = makeShares();
    const first = ask("a").share;
    const told = { seen: { remaining: 0, resetInMs: 9e14, since: 0 } };
    const { share } = ask("a", { share: first.number, made: 1, ...told });
    expect(share.wait).toEqual({ forMs: HOUR_MS, for: "rate" });
    at.nowMs += HOUR_MS;
    const next = ask("a").share;
    expect(next.calls).toBeNull();
    expect(ask("a", { share: next.number, made: 1, ...hourly(4_999) }).share.calls).toBe(100);
  });

  it("sets the reset to the first time that was told, although later answers tell later times", () => {
    const { at, ask } = makeShares();
    let { share } = ask("a");
    for (const remaining of [2, 1, 0]) {
      ({ share } = ask("a", { share: share.number, made: 1, ...seen(remaining, 10_000) }));
      at.nowMs += 3_000;
    }
    expect(ask("a").share.wait).toEqual({ forMs: 1_000, for: "rate" });
    at.nowMs += 1_000;
    expect(ask("a").share.calls).toBeNull();
  });

  it.for([
    { remaining: Number.NaN, resetInMs: 60_000, since: 0 },
    { remaining: Number.POSITIVE_INFINITY, resetInMs: 60_000, since: 0 },
    { remaining: -1, resetInMs: 60_000, since: 0 },
    { remaining: 0, resetInMs: Number.NaN, since: 0 },
    { remaining: 0, resetInMs: Number.POSITIVE_INFINITY, since: 0 },
    { remaining: 0, resetInMs: -1, since: 0 },
  ])("is ignored if it has no number of calls or of milliseconds: %j", (seen) => {
    const { ask } = makeShares();
    const { share } = ask("a");
    expect(ask("a", { share: share.number, made: 1, seen }).share.calls).toBeNull();
    expect(ask("b", { throttledForMs: seen.resetInMs === 60_000 ? -1 : Number.NaN }).share).toEqual(
      expect.not.objectContaining({ wait: expect.objectContaining({ for: "rate" }) }),
    );
  });
});

describe("tenants of a shared target", () => {
  /** The tenant takes all the calls that it gets. Returns their number. */
  const drain = ({ ask, at }: ReturnType<typeof makeShares>, id: string, tenantId: string) => {
    let { share } = ask(id, {}, tenantId);
    let calls = 0;
    while ((share.calls ?? 0) > 0) {
      const made = share.calls ?? 0;
      calls += made;
      at.nowMs += 100;
      ({ share } = ask(id, { share: share.number, made }, tenantId));
    }
    return calls;
  };
  const told = () => {
    const scene = makeShares();
    const { share } = scene.ask("b", {}, "tenant-b");
    scene.ask("b", { share: share.number, made: 1, ...hourly(4_999) }, "tenant-b");
    return scene;
  };

  it("find calls when they begin, although another tenant has drained the hour's budget", () => {
    const scene = told();
    const drained = drain(scene, "b", "tenant-b");
    expect(drained).toBeGreaterThan(3_000);
    expect(drained).toBeLessThan(3_900);
    const late = ["a", "c", "d", "e"].map((id) => drain(scene, id, `tenant-${id}`));
    // Each tenant leaves as many calls to others as it has had.
    expect(Math.min(...late)).toBeGreaterThan(50);
    // A second run brings the first tenant nothing more.
    expect(scene.ask("b-2", {}, "tenant-b").share.calls).toBe(0);
  });

  it("leave nothing unused: reserved calls are given out before the budget resets", () => {
    const scene = told();
    const startMs = scene.at.nowMs;
    let calls = drain(scene, "b", "tenant-b");
    while (scene.at.nowMs < startMs + HOUR_MS - 70_000) {
      const { share } = scene.ask("b", {}, "tenant-b");
      if (share.wait === undefined) calls += drain(scene, "b", "tenant-b") + (share.calls ?? 0);
      else expect(share.wait.forMs).toBeLessThanOrEqual(60_000);
      scene.at.nowMs += 60_000;
    }
    expect(calls).toBeGreaterThan(4_800);
  });

  it("take nothing from a tenant that has the target for itself", () => {
    const { ask, at } = makeShares();
    let { share } = ask("b");
    ({ share } = ask("b", { share: share.number, made: 1, ...hourly(4_999) }));
    let calls = 0;
    while ((share.calls ?? 0) > 0) {
      calls += share.calls ?? 0;
      at.nowMs += 100;
      ({ share } = ask("b", { share: share.number, made: share.calls ?? 0 }));
    }
    expect(calls).toBe(4_999);
  });

  it("get equal parts, however many runs one of them starts", () => {
    const { ask, at } = makeShares();
    const held = new Map<string, number>();
    const round = () => {
      for (let n = 0; n < 200; n += 1) {
        const share = held.get(`b${n}`);
        const more = share === undefined ? {} : { share, made: 3 };
        held.set(`b${n}`, ask(`b${n}`, more, "tenant-b").share.number);
      }
    };
    for (let second = 0; second < 6; second += 1) {
      round();
      at.nowMs += 1_000;
    }
    let places = 0;
    let waited = 0;
    while (places < 3 && waited < 60) {
      places = ask("a", {}, "tenant-a").share.concurrent;
      round();
      at.nowMs += 1_000;
      waited += 1;
    }
    expect(places).toBe(3);
    expect(waited).toBeLessThan(15);
    // Waiting runs of other tenants recall nothing of its part.
    const { recall } = ask("b-new", {}, "tenant-b");
    expect(recall.map(({ deploymentId }) => deploymentId)).not.toContain("a");
  });

  it("take turns if places are fewer than tenants, however many runs each has waiting", () => {
    const { ask, at } = makeShares();
    const held = new Map<string, number>();
    const served = new Map<string, number>();
    const step = (id: string, tenantId: string) => {
      const share = held.get(id);
      const more = share === undefined ? {} : { share, made: 1 };
      const next = ask(id, { concurrency: 2, ...more }, tenantId).share;
      held.set(id, next.number);
      if (next.concurrent > 0) served.set(tenantId, (served.get(tenantId) ?? 0) + 1);
    };
    for (let second = 0; second < 40; second += 1) {
      for (let n = 0; n < 80; n += 1) step(`b${n}`, "tenant-b");
      if (second >= 5) for (const one of ["a", "c", "d"]) step(one, `tenant-${one}`);
      at.nowMs += 1_000;
    }
    for (const one of ["a", "c", "d"]) expect(served.get(`tenant-${one}`)).toBeGreaterThan(5);
  });
});
