import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";

const PLACE_LEASE_MS = 60_000;
const granted = { granted: true };

/** A gate of its own, and who asks at a time that is set by hand. */
function makeGate(capacity: number) {
  const name = crypto.randomUUID();
  const stub = () => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(name));
  return {
    acquire: async (who: string, now = 0, slots = capacity) =>
      stub().acquire({ deploymentId: who, instanceId: `${name}-${who}`, capacity: slots, now }),
    release: async (who: string, now = 0) => stub().release(who, now),
    held: async () =>
      runInDurableObject(stub(), (_, { storage }) =>
        storage.sql
          .exec("SELECT deployment_id AS who FROM places WHERE holds = 1 ORDER BY ticket")
          .toArray()
          .map(({ who }) => who),
      ),
  };
}

describe("a target's gate", () => {
  it("hands out as many slots as there are, first come, first served", async () => {
    const gate = makeGate(2);
    expect(await gate.acquire("a")).toEqual(granted);
    expect(await gate.acquire("b")).toEqual(granted);
    expect(await gate.acquire("c")).toEqual({ granted: false, ticket: 3 });
    expect(await gate.acquire("d")).toEqual({ granted: false, ticket: 4 });
    await gate.release("a");
    expect(await gate.acquire("d")).toEqual({ granted: false, ticket: 4 });
    expect(await gate.acquire("c")).toEqual(granted);
    expect(await gate.held()).toEqual(["b", "c"]);
  });

  it("gives the same answer however often it is asked", async () => {
    const gate = makeGate(1);
    for (let times = 0; times < 3; times += 1) {
      expect(await gate.acquire("a")).toEqual(granted);
      expect(await gate.acquire("b")).toEqual({ granted: false, ticket: 2 });
    }
    expect(await gate.held()).toEqual(["a"]);
  });

  it("goes by the newest version of its target, whoever brings it, and starts more at once", async () => {
    const stub = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(crypto.randomUUID()));
    const ask = async (who: string, capacity: number, targetVersion: number) =>
      stub.acquire({ deploymentId: who, instanceId: who, capacity, targetVersion, now: 0 });
    expect(await ask("a", 1, 1)).toEqual(granted);
    expect(await ask("b", 1, 1)).toEqual({ granted: false, ticket: 2 });
    await stub.resize(2, 2, 0);
    // Frozen before the change, it still says one.
    expect(await ask("b", 1, 1)).toEqual(granted);
    expect(await ask("c", 5, 1)).toEqual({ granted: false, ticket: 3 });
    await stub.resize(9, 1, 0);
    expect(await ask("c", 9, 1)).toEqual({ granted: false, ticket: 3 });
    expect(await ask("c", 3, 3)).toEqual(granted);
  });

  it("takes a release of what nobody holds, twice, and of one that waits", async () => {
    const gate = makeGate(1);
    await gate.release("nobody");
    await gate.acquire("a");
    await gate.acquire("b");
    await gate.release("b");
    await gate.release("b");
    expect(await gate.acquire("c")).toEqual({ granted: false, ticket: 3 });
    await gate.release("a");
    expect(await gate.acquire("c")).toEqual(granted);
  });

  it("lets a slot lapse that is not renewed, and not a moment before", async () => {
    const gate = makeGate(1);
    await gate.acquire("a", 0);
    await gate.acquire("b", SLOT_LEASE_MS);
    expect(await gate.held()).toEqual(["a"]);
    expect(await gate.acquire("b", SLOT_LEASE_MS + 1)).toEqual(granted);
    expect(await gate.acquire("a", SLOT_LEASE_MS + 2)).toMatchObject({ granted: false });
  });

  it("keeps a slot that is renewed, for its holder alone", async () => {
    const gate = makeGate(1);
    for (let now = 0; now < 10 * SLOT_LEASE_MS; now += SLOT_LEASE_MS / 3) {
      expect(await gate.acquire("a", now)).toEqual(granted);
      expect(await gate.acquire("b", now)).toMatchObject({ granted: false });
    }
  });

  it("lets a place in the queue lapse, so that a dead runner holds nobody up", async () => {
    const gate = makeGate(1);
    await gate.acquire("a", 0);
    await gate.acquire("dead", 0);
    await gate.acquire("b", 0);
    await gate.release("a", 1);
    expect(await gate.acquire("b", PLACE_LEASE_MS)).toMatchObject({ granted: false });
    expect(await gate.acquire("b", PLACE_LEASE_MS + 1)).toEqual(granted);
  });

  it("takes back no slot when the target allows fewer, and grants none until they are few enough", async () => {
    const gate = makeGate(3);
    for (const who of ["a", "b", "c"]) await gate.acquire(who);
    expect(await gate.acquire("d", 0, 1)).toMatchObject({ granted: false });
    await gate.release("a");
    await gate.release("b");
    expect(await gate.acquire("d", 0, 1)).toMatchObject({ granted: false });
    await gate.release("c");
    expect(await gate.acquire("d", 0, 1)).toEqual(granted);
  });

  it("remembers who holds what when it dies", async () => {
    const gate = makeGate(1);
    await gate.acquire("a");
    await gate.acquire("b");
    await abortAllDurableObjects();
    expect(await gate.acquire("b")).toEqual({ granted: false, ticket: 2 });
    expect(await gate.held()).toEqual(["a"]);
  });
});
