/** The turns of tenants at the slots of a shared target, and the edges of capacity, leases and releases. */
import { describe, expect, it } from "vitest";
import { Random } from "#test/simulation/random.ts";
import { Sqlite, sqlStorageOver } from "#test/simulation/sqlite.ts";
import { PLACE_LEASE_MS } from "./place-lease.ts";
import { PlacesTable } from "./places-table.ts";
import { SLOT_LEASE_MS } from "./slot-lease.ts";

function makePlaces(capacity: number) {
  const sql = sqlStorageOver(new Sqlite(() => new Random(1)), () => undefined);
  const places = new PlacesTable(sql);
  places.setCapacity(capacity, 1);
  const placed = (who: string) => ({
    deploymentId: who,
    instanceId: `instance of ${who}`,
    // "b3" is a run of tenant b.
    tenantId: who.replace(/\d+$/, ""),
  });
  return {
    places,
    /** Restarts the gate's object. */
    restarted: () => new PlacesTable(sql),
    take: (who: string, nowMs = 0) => places.take(placed(who), nowMs).granted,
    own: (who: string, nowMs = 0) => places.take({ ...placed(who), tenantId: "" }, nowMs).granted,
    next: () => places.next()?.deploymentId,
    /** The next run takes the slot that this run leaves. */
    pass: (who: string, nowMs = 0) => {
      places.leave(who);
      const next = places.next();
      if (next !== undefined) places.take(next, nowMs);
      return next?.deploymentId;
    },
  };
}

describe("at a target that tenants share", () => {
  it("a tenant with one run has the next slot, however many runs of another wait", () => {
    const { take, pass } = makePlaces(1);
    for (let n = 1; n <= 8; n += 1) take(`b${n}`);
    take("a1");
    expect([pass("b1"), pass("b2"), pass("a1"), pass("b3")]).toEqual(["b2", "a1", "b3", "b4"]);
  });

  it("each tenant has one turn in a round, and its runs go first come, first served", () => {
    const { take, pass } = makePlaces(1);
    for (const who of ["x1", "a1", "a2", "a3", "b1", "c1", "c2"]) take(who);
    const order: string[] = [];
    for (let who: string | undefined = "x1"; who !== undefined; who = pass(who)) order.push(who);
    expect(order).toEqual(["x1", "a1", "b1", "c1", "a2", "c2", "a3"]);
  });

  it("a tenant that holds fewer slots comes first, whenever each tenant came", () => {
    const { take, places, next } = makePlaces(4);
    for (const who of ["b1", "b2", "b3", "x1", "b4", "c1", "a1"]) take(who);
    expect(next()).toBeUndefined();
    places.leave("b1");
    expect(next()).toBe("c1");
    expect([take("a1"), take("c1")]).toEqual([false, true]);
    places.leave("b2");
    // b, c and x hold one slot each, a holds none.
    expect(next()).toBe("a1");
    take("c2");
    take("a1");
    places.leave("b3");
    expect(next()).toBe("b4");
  });

  it("a run takes a free slot before a tenant that holds one, but not before a tenant in turn", () => {
    const { take, places } = makePlaces(2);
    for (const who of ["b1", "b2", "b3"]) take(who);
    expect(take("a1")).toBe(true);
    for (const who of ["c1", "d1"]) take(who);
    places.leave("b1");
    // Now b holds no slot either, and has waited longest.
    expect([take("d1"), take("e1"), take("c1"), take("b2")]).toEqual([false, false, false, true]);
  });

  it("a tenant that holds all other slots does not get the last; another tenant finds it free", () => {
    const { take, places, next } = makePlaces(3);
    expect(["b1", "b2", "b3", "b4"].map((who) => take(who))).toEqual([true, true, false, false]);
    expect([next(), take("b3"), take("b1")]).toEqual([undefined, false, true]);
    expect([take("a1"), take("a2"), next()]).toEqual([true, false, undefined]);
    // The slot that a leaves is again not for b.
    places.leave("a2");
    places.leave("a1");
    expect([next(), take("b3")]).toEqual([undefined, false]);
    places.leave("b1");
    expect([next(), take("b3"), take("b4")]).toEqual(["b3", true, false]);
    places.setCapacity(4, 2);
    expect([next(), take("b4"), take("b5")]).toEqual(["b4", true, false]);
    places.setCapacity(3, 3);
    places.leave("b2");
    expect([next(), take("b5")]).toEqual([undefined, false]);
  });

  it("a lone tenant has the one slot of a target, and one of two", () => {
    const one = makePlaces(1);
    expect([one.take("b1"), one.take("b2")]).toEqual([true, false]);
    const two = makePlaces(2);
    expect([two.take("b1"), two.take("b2"), two.take("a1")]).toEqual([true, false, true]);
  });

  it("a turn does not come earlier by asking often, or by leaving and asking again", () => {
    const { take, places, pass } = makePlaces(1);
    for (const who of ["x1", "b1", "a1"]) take(who);
    places.leave("b1");
    for (let n = 2; n < 9; n += 1) take(`b${n}`);
    for (let n = 2; n < 9; n += 1) take(`b${n}`);
    expect([pass("x1"), pass("a1")]).toEqual(["a1", "b2"]);
  });

  it("a tenant keeps its turn when the run that began it is canceled", () => {
    const { take, places, pass } = makePlaces(1);
    for (const who of ["x1", "a1", "a2", "b1"]) take(who);
    places.leave("a1");
    expect(pass("x1")).toBe("a2");
  });

  it("a tenant whose waiting runners died no longer waits", () => {
    const { take, places, next } = makePlaces(1);
    for (const who of ["x1", "dead1", "dead2"]) take(who);
    take("a1", 10);
    take("x1", PLACE_LEASE_MS);
    places.dropLapsed(PLACE_LEASE_MS + 1);
    places.leave("x1");
    expect(next()).toBe("a1");
    expect(take("dead1", PLACE_LEASE_MS + 1)).toBe(false);
    expect(take("a1", PLACE_LEASE_MS + 1)).toBe(true);
  });

  it("turns survive a restart", () => {
    const { take, places, restarted } = makePlaces(1);
    for (const who of ["b1", "b2", "a1"]) take(who);
    places.leave("b1");
    take("b2");
    take("b3");
    const again = restarted();
    again.leave("b2");
    expect(again.next()?.deploymentId).toBe("a1");
  });
});

it("at a tenant's own target runs are served first come, first served, whatever they hold", () => {
  const { own, places, next } = makePlaces(2);
  for (const who of ["b1", "b2", "b3", "a1", "b4"]) own(who);
  const order: (string | undefined)[] = [];
  for (const who of ["b1", "b2", "b3"]) {
    places.leave(who);
    order.push(next());
    own(next() ?? "");
  }
  expect(order).toEqual(["b3", "a1", "b4"]);
});

describe("the edges", () => {
  it.for([
    { held: 1, capacity: 0, next: undefined },
    { held: 1, capacity: 1, next: undefined },
    { held: 1, capacity: 2, next: "a1" },
    { held: 3, capacity: 2, next: undefined },
    { held: 3, capacity: 3, next: undefined },
    { held: 3, capacity: 4, next: "a1" },
  ])("of capacity: $held slots are held of $capacity", ({ held, capacity, next: expected }) => {
    const { own, take, places, next } = makePlaces(held);
    for (let n = 1; n <= held; n += 1) own(`x${n}`);
    take("a1");
    places.setCapacity(capacity, 2);
    expect(next()).toBe(expected);
    expect(take("a1")).toBe(expected !== undefined);
  });

  it("of a capacity that rises by two: two waiting runs get a slot, and the third does not", () => {
    const { take, places, next } = makePlaces(1);
    for (const who of ["x1", "a1", "b1", "c1"]) take(who);
    places.setCapacity(3, 2);
    expect([next(), take("b1"), take("a1")]).toEqual(["a1", false, true]);
    expect([next(), take("b1"), next()]).toEqual(["b1", true, undefined]);
  });

  it.for([
    { afterMs: SLOT_LEASE_MS - 1, lapsed: false },
    { afterMs: SLOT_LEASE_MS, lapsed: false },
    { afterMs: SLOT_LEASE_MS + 1, lapsed: true },
  ])("of a slot's lease: $afterMs ms after it was granted", ({ afterMs, lapsed }) => {
    const { take, places, next } = makePlaces(1);
    take("x1", 0);
    take("a1", afterMs);
    places.dropLapsed(afterMs);
    expect(next()).toBe(lapsed ? "a1" : undefined);
    // A lapsed lease that is renewed is a new request, which another tenant precedes.
    expect(take("x1", afterMs)).toBe(!lapsed);
  });

  it.for([
    { afterMs: PLACE_LEASE_MS, next: "a1" },
    { afterMs: PLACE_LEASE_MS + 1, next: "b1" },
  ])("of a place's lease: $afterMs ms after it was renewed", ({ afterMs, next: expected }) => {
    const { take, places, next } = makePlaces(1);
    for (const who of ["x1", "a1", "b1"]) take(who, -10);
    take("a1", 0);
    take("b1", afterMs);
    places.dropLapsed(afterMs);
    places.leave("x1");
    expect(next()).toBe(expected);
  });

  it("of a release: repeated, it frees one slot, and it ends a place without a slot", () => {
    const { take, places, next } = makePlaces(2);
    for (const who of ["x1", "y1", "a1", "b1"]) take(who);
    places.leave("x1");
    places.leave("x1");
    expect([take("a1"), take("b1")]).toEqual([true, false]);
    places.leave("b1");
    places.leave("y1");
    expect(next()).toBeUndefined();
  });
});
