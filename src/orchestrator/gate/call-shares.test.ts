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
    ask: (deploymentId: string, more: Partial<ShareRequest> = {}) =>
      shares.next(
        { deploymentId, instanceId: deploymentId },
        { made: 0, inFlight: 0, concurrency: 6, needs: 1, ...more },
      ),
  };
}

const seen = (remaining: number, resetInMs = 60_000) => ({
  seen: { remaining, resetInMs, limit: 60, since: 0 },
});

describe("the shares of calls", () => {
  it("are unlimited until an answer tells a budget, and then of all runs", () => {
    const { ask } = makeShares();
    const { share } = ask("a");
    expect(share).toMatchObject({ concurrent: 6, calls: null });
    const told = ask("a", { share: share.number, made: 3, ...seen(57) });
    expect(told.share.calls).toBe(57);
    expect(ask("b").share).toMatchObject({ calls: 0, wait: { for: "turn" } });
  });

  it("recall what one run has too much of, and give it to the other", () => {
    const { ask, shares } = makeShares();
    const { share } = ask("a");
    const { share: none, recall } = ask("b");
    expect(none.concurrent).toBe(0);
    expect(recall).toEqual([{ deploymentId: "a", instanceId: "a", number: share.number }]);
    shares.giveBack("a", share.number, { share: share.number, made: 2, inFlight: 2 });
    expect(ask("b").share.concurrent).toBe(3);
    // What is still in flight counts until it is reported as over.
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

  it("with the calls of a dead runner: one more is given, whose answer tells what is left", () => {
    const { at, ask } = makeShares();
    const first = ask("dead", { concurrency: 12 }).share;
    ask("dead", { share: first.number, concurrency: 3, ...seen(40, 600_000) });
    expect(ask("b", { concurrency: 12 }).share.calls).toBe(0);
    at.nowMs += LAPSED_MS;
    const probe = ask("b", { concurrency: 12 }).share;
    expect(probe.calls).toBe(1);
    const answer = { seen: { remaining: 25, resetInMs: 500_000, limit: 60, since: probe.number } };
    expect(ask("b", { share: probe.number, made: 1, ...answer }).share.calls).toBe(25);
  });

  it("count calls that were given before the budget was whole against the new one", () => {
    const { at, ask } = makeShares();
    const first = ask("a", { concurrency: 12 }).share;
    const given = ask("a", { share: first.number, concurrency: 3, ...seen(40, 5_000) }).share;
    expect(given.calls).toBe(40);
    at.nowMs += 5_001;
    const next = ask("b", { concurrency: 12 }).share;
    expect(next.calls).toBe(10);
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

  it("do not believe an answer that is older than what another run reported", () => {
    const { ask } = makeShares();
    const first = ask("a", { concurrency: 12 }).share;
    const a = ask("a", { share: first.number, concurrency: 3, ...seen(10) }).share;
    expect(a.calls).toBe(10);
    ask("a", { share: a.number, made: 10, concurrency: 3 });
    // This run sent its request before the ten were made.
    expect(ask("b", { concurrency: 12, ...seen(50) }).share.calls).toBe(0);
  });
});
