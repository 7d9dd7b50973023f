import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { PLACE_LEASE_MS } from "#orchestrator/gate/place-lease.ts";
import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";
import type { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { placesAt } from "#test/support/places.ts";

const granted = { granted: true };

/** A gate for this test. `now` sets its clock; before, the clock shows the real time. */
function makeGate(capacity: number) {
  const name = crypto.randomUUID();
  const stub = () => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(name));
  const setClock = async (now?: number): Promise<void> => {
    if (now !== undefined) await runInDurableObject(stub(), (gate) => void (gate.now = () => now));
  };
  return {
    stub,
    acquire: async (who: string, now?: number, slots = capacity) => {
      await setClock(now);
      return stub().acquire({
        deploymentId: who,
        instanceId: `${name}-${who}`,
        capacity: slots,
      });
    },
    release: async (who: string, now?: number) => {
      await setClock(now);
      return stub().release(who);
    },
    held: async () =>
      runInDurableObject(stub(), (_, { storage }) =>
        placesAt(storage)
          .filter(({ holds }) => holds === 1)
          .map(({ id }) => id),
      ),
  };
}

describe("a target's gate", () => {
  it("grants as many slots as its capacity, first come, first served", async () => {
    const gate = makeGate(2);
    expect(await gate.acquire("a")).toEqual(granted);
    expect(await gate.acquire("b")).toEqual(granted);
    expect(await gate.acquire("c")).toEqual({ granted: false, ticket: 1 });
    expect(await gate.acquire("d")).toEqual({ granted: false, ticket: 2 });
    await gate.release("a");
    expect(await gate.acquire("d")).toEqual({ granted: false, ticket: 2 });
    expect(await gate.acquire("c")).toEqual(granted);
    expect(await gate.held()).toEqual(["b", "c"]);
  });

  it("gives the same answer to a repeated request", async () => {
    const gate = makeGate(1);
    for (let times = 0; times < 3; times += 1) {
      expect(await gate.acquire("a")).toEqual(granted);
      expect(await gate.acquire("b")).toEqual({ granted: false, ticket: 1 });
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
      });
    expect(await ask("a", 1, 1)).toEqual(granted);
    expect(await ask("b", 1, 1)).toEqual({ granted: false, ticket: 1 });
    await stub.resize(2, 2);
    // This run was created before the change and still sends a capacity of one.
    expect(await ask("b", 1, 1)).toEqual(granted);
    expect(await ask("c", 5, 1)).toEqual({ granted: false, ticket: 2 });
    await stub.resize(9, 1);
    expect(await ask("c", 9, 1)).toEqual({ granted: false, ticket: 2 });
    expect(await ask("c", 3, 3)).toEqual(granted);
  });

  it("accepts a release of a slot that is not held, repeated or of a waiting deployment", async () => {
    const gate = makeGate(1);
    await gate.release("nobody");
    await gate.acquire("a");
    await gate.acquire("b");
    await gate.release("b");
    await gate.release("b");
    expect(await gate.acquire("c")).toEqual({ granted: false, ticket: 2 });
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
    expect(await gate.acquire("d", undefined, 1)).toMatchObject({ granted: false });
    await gate.release("a");
    await gate.release("b");
    expect(await gate.acquire("d", undefined, 1)).toMatchObject({ granted: false });
    await gate.release("c");
    expect(await gate.acquire("d", undefined, 1)).toEqual(granted);
  });

  it("keeps slots and queue when it dies", async () => {
    const gate = makeGate(1);
    await gate.acquire("a");
    await gate.acquire("b");
    await abortAllDurableObjects();
    expect(await gate.acquire("b")).toEqual({ granted: false, ticket: 1 });
    expect(await gate.held()).toEqual(["a"]);
  });

  it("notifies the first that lives of a slot, not one whose place lapsed", async () => {
    const gate = makeGate(1);
    await gate.acquire("a", 0);
    await gate.acquire("dead", 0);
    await gate.acquire("a", PLACE_LEASE_MS);
    await gate.acquire("b", PLACE_LEASE_MS);
    const notified = await notifiedBy(gate);
    await gate.release("a", PLACE_LEASE_MS + 1);
    expect(notified).toEqual(["b"]);
  });

  it("notifies one run for each slot that is free: the next one when the one before has its slot", async () => {
    const gate = makeGate(1);
    for (const who of ["a", "b", "c", "d"]) await gate.acquire(who, 0);
    const notified = await notifiedBy(gate);
    await gate.stub().resize(3, 1);
    expect(notified).toEqual(["b"]);
    expect(await gate.acquire("b", 1, 1)).toEqual(granted);
    expect(notified).toEqual(["b", "c"]);
    expect(await gate.acquire("c", 1, 1)).toEqual(granted);
    // No slot is free any more, and a renewal frees none.
    await gate.acquire("a", 1, 1);
    expect(notified).toEqual(["b", "c"]);
  });

  it.for([
    { act: "a release", notified: ["b"] },
    { act: "a release of what is not held", notified: [] },
    { act: "a second release", notified: ["b", "b"] },
    { act: "a smaller capacity", notified: [] },
    { act: "the same capacity", notified: [] },
    { act: "a larger capacity of an older version of the target", notified: [] },
    { act: "a lapsed lease, once anybody asks", notified: ["b"] },
  ])("notifies $notified at $act", async ({ act, notified: expected }) => {
    const gate = makeGate(2);
    for (const who of ["a", "x", "b"]) await gate.acquire(who, 0);
    await gate.stub().resize(2, 5);
    const notified = await notifiedBy(gate);
    const acts: Record<string, () => Promise<unknown>> = {
      "a release": () => gate.release("a"),
      "a release of what is not held": () => gate.release("nobody"),
      "a second release": async () => [await gate.release("a"), await gate.release("a")],
      "a smaller capacity": () => gate.stub().resize(1, 6),
      "the same capacity": () => gate.stub().resize(2, 6),
      "a larger capacity of an older version of the target": () => gate.stub().resize(9, 4),
      "a lapsed lease, once anybody asks": async () => {
        for (const who of ["x", "b"]) await gate.acquire(who, SLOT_LEASE_MS / 2);
        await gate.acquire("b", SLOT_LEASE_MS);
        await gate.release("nobody", SLOT_LEASE_MS + 1);
      },
    };
    await acts[act]?.();
    expect(notified).toEqual(expected);
  });

  it("ends a claim for the instance alone that has it", async () => {
    const { stub } = makeGate(1);
    const object = { type: "mock:Server", id: "s-1" };
    const claim = async (instanceId: string) =>
      (await stub().claim({ instanceId, tenantId: "t" }, [object], { only: false })).length;
    expect([await claim("a"), await claim("b")]).toEqual([0, 1]);
    await stub().releaseClaim("b", object, { lives: false });
    expect([await claim("b"), await claim("a")]).toEqual([1, 0]);
    await stub().releaseClaim("a", object, { lives: false });
    expect([await claim("b"), await claim("a")]).toEqual([0, 1]);
  });

  it("tells the claim for a create that is not done from that of an object in a state", async () => {
    const { stub } = makeGate(1);
    const object = { type: "mock:Server", id: "s-1" };
    const claim = (how: { only: boolean; unmade?: boolean }) =>
      stub().claim({ instanceId: "a", tenantId: "t" }, [object], how);
    const seen = async () =>
      (await stub().claimsOfOthers("b", [object])).map(({ unmade }) => unmade);
    await claim({ only: false, unmade: true });
    await claim({ only: false });
    expect(await seen()).toEqual([true]);
    await claim({ only: true });
    expect(await seen()).toEqual([false]);
    await claim({ only: false, unmade: true });
    expect(await seen()).toEqual([false]);
    await stub().releaseClaim("a", object, { lives: false });
    await claim({ only: false });
    expect(await seen()).toEqual([false]);
  });

  it("remembers which tenant gave up an object that lives, until one manages it or deletes it", async () => {
    const { stub } = makeGate(1);
    const object = { type: "mock:Server@1", id: "s-1" };
    const claim = (tenantId: string, only = false) =>
      stub().claim({ instanceId: `of ${tenantId}`, tenantId }, [object], { only });
    const release = (tenantId: string, lives: boolean) =>
      stub().releaseClaim(`of ${tenantId}`, object, { lives });
    const letGo = async () => [
      await stub().wasLetGo("t", object),
      await stub().wasLetGo("u", { ...object, type: "mock:Server" }),
    ];
    await claim("t");
    await release("u", true);
    expect(await letGo()).toEqual([false, false]);
    await release("t", true);
    await release("t", false);
    expect(await letGo()).toEqual([true, false]);
    await claim("u");
    expect(await letGo()).toEqual([true, false]);
    await release("u", true);
    expect(await letGo()).toEqual([false, true]);
    await claim("u", true);
    expect(await letGo()).toEqual([false, false]);
    await release("u", false);
    expect(await letGo()).toEqual([false, false]);
  });

  it.for([
    { what: "runs of one tenant", tenant: "'t1'" },
    { what: "tenants", tenant: "'t' || n" },
  ])("reads as much for each request with 5,000 $what waiting as with 50", async ({ tenant }) => {
    const rowsRead = async (waiting: number) => {
      const gate = makeGate(3);
      const ask = (who: string, tenantId: string) =>
        gate.stub().acquire({ deploymentId: who, instanceId: who, tenantId, capacity: 3 });
      for (const who of ["a", "b", "c"]) await ask(who, who);
      await ask("waits 1", "t1");
      await runInDurableObject(gate.stub(), (_, { storage: { sql } }) => {
        const numbers =
          "WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ?)";
        sql.exec(
          `${numbers} INSERT OR IGNORE INTO turns (tenant_id) SELECT ${tenant} FROM n`,
          waiting,
        );
        sql.exec(
          `${numbers} INSERT INTO queue (deployment_id, instance_id, tenant_id, lease_until_ms)
            SELECT 'waits ' || n, 'waits ' || n, ${tenant}, ? FROM n`,
          waiting,
          Date.now() + PLACE_LEASE_MS,
        );
      });
      const last = tenant === "'t1'" ? "t1" : `t${waiting}`;
      const read = (request: () => Promise<unknown>) => rowsReadBy(gate.stub(), request);
      return {
        heldAgain: await read(() => ask("a", "a")),
        asksAgain: await read(() => ask(`waits ${waiting}`, last)),
        first: await read(() => ask("waits 1", "t1")),
        new: await read(() => ask("new", "a")),
        release: await read(() => gate.release("a")),
        granted: await read(() => ask("waits 1", "t1")),
        resize: await read(() => gate.stub().resize(5, 9)),
      };
    };
    const few = await rowsRead(50);
    expect(await rowsRead(5_000)).toEqual(few);
    expect(Math.max(...Object.values(few))).toBeLessThan(60);
    expect(Math.min(...Object.values(few))).toBeGreaterThan(0);
  });
});

/** The runs whose runners the gate notifies from now on. */
async function notifiedBy({ stub }: ReturnType<typeof makeGate>): Promise<string[]> {
  const notified: string[] = [];
  await runInDurableObject(stub(), (gate) => {
    const runners = {
      idFromName: (name: string) => name,
      get: (name: string) => ({
        wake: async () => void notified.push(name.split("-").at(-1) ?? ""),
      }),
    };
    const given = (gate as unknown as { env: object }).env;
    Object.defineProperty(gate, "env", { value: { ...given, INSTANCE_RUNNER: runners } });
  });
  return notified;
}

/** The rows that the gate's statements read during the request. */
async function rowsReadBy(
  stub: DurableObjectStub<TargetGate>,
  request: () => Promise<unknown>,
): Promise<number> {
  const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
  const restore = await runInDurableObject(stub, (_, { storage: { sql } }) => {
    const exec = sql.exec.bind(sql);
    sql.exec = ((...statement: Parameters<typeof exec>) => {
      const cursor = exec(...statement);
      cursors.push(cursor);
      return cursor;
    }) as typeof sql.exec;
    return () => void (sql.exec = exec);
  });
  await request();
  return runInDurableObject(stub, () => {
    restore();
    return cursors.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  });
}
