import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";

const PLACE_LEASE_MS = 60_000;
const granted = { granted: true };

/** A gate for this test, whose requests take the time from here. */
function makeGate(capacity: number) {
  const name = crypto.randomUUID();
  const stub = () => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(name));
  return {
    acquire: async (who: string, now = 0, slots = capacity) =>
      stub().acquire({
        deploymentId: who,
        instanceId: `${name}-${who}`,
        capacity: slots,
        now,
      }),
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
  it("grants as many slots as its capacity, first come, first served", async () => {
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

  it("gives the same answer to a repeated request", async () => {
    const gate = makeGate(1);
    for (let times = 0; times < 3; times += 1) {
      expect(await gate.acquire("a")).toEqual(granted);
      expect(await gate.acquire("b")).toEqual({ granted: false, ticket: 2 });
    }
    expect(await gate.held()).toEqual(["a"]);
  });

  it("uses the capacity of the target's newest version, whoever sends it, at once", async () => {
    const stub = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(crypto.randomUUID()));
    const ask = async (who: string, capacity: number, targetVersion: number) =>
      stub.acquire({
        deploymentId: who,
        instanceId: who,
        capacity,
        targetVersion,
        now: 0,
      });
    expect(await ask("a", 1, 1)).toEqual(granted);
    expect(await ask("b", 1, 1)).toEqual({ granted: false, ticket: 2 });
    await stub.resize(2, 2, 0);
    // This run was created before the change and still sends a capacity of one.
    expect(await ask("b", 1, 1)).toEqual(granted);
    expect(await ask("c", 5, 1)).toEqual({ granted: false, ticket: 3 });
    await stub.resize(9, 1, 0);
    expect(await ask("c", 9, 1)).toEqual({ granted: false, ticket: 3 });
    expect(await ask("c", 3, 3)).toEqual(granted);
  });

  it("accepts a release of a slot that is not held, repeated or of a waiting deployment", async () => {
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

  it("ends a slot exactly when its lease lapses without renewal", async () => {
    const gate = makeGate(1);
    await gate.acquire("a", 0);
    await gate.acquire("b", SLOT_LEASE_MS);
    expect(await gate.held()).toEqual(["a"]);
    expect(await gate.acquire("b", SLOT_LEASE_MS + 1)).toEqual(granted);
    expect(await gate.acquire("a", SLOT_LEASE_MS + 2)).toMatchObject({
      granted: false,
    });
  });

  it("keeps a renewed slot for its holder", async () => {
    const gate = makeGate(1);
    for (let now = 0; now < 10 * SLOT_LEASE_MS; now += SLOT_LEASE_MS / 3) {
      expect(await gate.acquire("a", now)).toEqual(granted);
      expect(await gate.acquire("b", now)).toMatchObject({ granted: false });
    }
  });

  it("drops a place in the queue that is not renewed, so that a dead runner blocks no other", async () => {
    const gate = makeGate(1);
    await gate.acquire("a", 0);
    await gate.acquire("dead", 0);
    await gate.acquire("b", 0);
    await gate.release("a", 1);
    expect(await gate.acquire("b", PLACE_LEASE_MS)).toMatchObject({
      granted: false,
    });
    expect(await gate.acquire("b", PLACE_LEASE_MS + 1)).toEqual(granted);
  });

  it("revokes no slot when the capacity shrinks, and grants none until enough are released", async () => {
    const gate = makeGate(3);
    for (const who of ["a", "b", "c"]) await gate.acquire(who);
    expect(await gate.acquire("d", 0, 1)).toMatchObject({ granted: false });
    await gate.release("a");
    await gate.release("b");
    expect(await gate.acquire("d", 0, 1)).toMatchObject({ granted: false });
    await gate.release("c");
    expect(await gate.acquire("d", 0, 1)).toEqual(granted);
  });

  it("keeps slots and queue when it dies", async () => {
    const gate = makeGate(1);
    await gate.acquire("a");
    await gate.acquire("b");
    await abortAllDurableObjects();
    expect(await gate.acquire("b")).toEqual({ granted: false, ticket: 2 });
    expect(await gate.held()).toEqual(["a"]);
  });
});
