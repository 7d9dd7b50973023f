/** D1 that fails before or after a commit, and notifications that are duplicated, late, reordered or lost. */
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { deploymentEventData } from "#kernel/outbox/deployment-event.ts";
import type { Projection } from "#orchestrator/projection/projection.ts";
import { reconcileSnapshot } from "#orchestrator/projection/reconcile-snapshot.ts";
import { emptySnapshot, type Snapshot, withProjection } from "#orchestrator/projection/snapshot.ts";
import { writeSnapshot } from "#orchestrator/projection/write-snapshot.ts";
import { endWaiting } from "#orchestrator/run/end-waiting.ts";
import { consumeDeployments } from "#orchestrator/runner/consume-deployments.ts";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { placesAt } from "#test/support/places.ts";
import { eventsOf, runnerOf, start, until } from "#test/support/runner.ts";

const source = `name: projections
runtime: yaml
resources:
  app: { type: mock:Server, properties: { name: app } }
`;
const events = ["queued", "started", "planned", "applying", "succeeded"];

let tenant: TestTenant;
let templateId: string;
beforeAll(async () => {
  tenant = await makeTenant();
  templateId = await makeTemplate(tenant, source);
});

const make = async () => {
  const targetId = await makeTarget(tenant);
  return { targetId, instanceId: await makeInstance(tenant, templateId, targetId) };
};

/** A queued deployment whose runner was not notified. */
async function queueWithoutNotice(instanceId: string): Promise<string> {
  const { body } = await run(tenant, instanceId, "plan");
  const id = newId();
  await env.DB.prepare(
    `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger", requested_by, inputs,
        timestamps, projected, version, created_at_ms, updated_at_ms)
      SELECT ?1, tenant_id, instance_id, target_id, 'deploy', 'QUEUED', trigger, requested_by, inputs,
        '{}', 0, 1, created_at_ms, updated_at_ms FROM deployments WHERE id = ?2`,
  )
    .bind(id, body.id)
    .run();
  return id;
}

describe("a runner whose D1 fails", () => {
  it.for(["PLANNING", "APPLYING", "SUCCEEDED"])(
    "projects %s once, when D1 works again",
    async (state) => {
      const { targetId, instanceId } = await make();
      await env.DB.exec(
        `CREATE TRIGGER refuse BEFORE UPDATE ON deployments WHEN NEW.instance_id = '${instanceId}' AND NEW.state = '${state}' BEGIN SELECT RAISE(ABORT, 'a fault that the test plans'); END`,
      );
      let deploymentId: string;
      try {
        deploymentId = await start(tenant, instanceId);
        for (let faults = 0; faults < 2; faults += 1) {
          await until("the runner waits after a fault", async () =>
            runInDurableObject(runnerOf(instanceId), async (_, { storage }) => {
              const owed = storage.sql
                .exec("SELECT 1 FROM snapshots WHERE number > acked")
                .toArray().length;
              const armedMs = (await storage.getAlarm()) ?? 0;
              return owed === 1 && armedMs - Date.now() < 10_000 && armedMs > Date.now() + 100;
            }),
          );
          await runnerOf(instanceId).wake();
          await scheduler.wait(20);
        }
        expect((await tenant.get(`/deployments/${deploymentId}`)).body.state).not.toBe(state);
      } finally {
        await env.DB.exec("DROP TRIGGER refuse");
      }
      await runnerOf(instanceId).wake();
      expect((await untilOver(tenant, deploymentId)).body.state).toBe("SUCCEEDED");
      expect(await eventsOf(deploymentId)).toEqual(events);
      expect((await ledger(targetId)).map(({ verb }) => verb)).toEqual(["create"]);
    },
  );

  it("gives its slot back only when D1 knows that the run has ended", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const ending = await makeInstance(tenant, templateId, targetId);
    const waiting = await makeInstance(tenant, templateId, targetId);
    const places = async () =>
      runInDurableObject(
        env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)),
        (_, { storage }) => placesAt(storage).map(({ id, holds }) => ({ id, holds })),
      );
    await env.DB.exec(
      `CREATE TRIGGER refuse BEFORE UPDATE ON deployments WHEN NEW.instance_id = '${ending}' AND NEW.state = 'SUCCEEDED' BEGIN SELECT RAISE(ABORT, 'a fault that the test plans'); END`,
    );
    let first: string;
    let second: string;
    try {
      first = await start(tenant, ending);
      await until("the run has ended for its runner", async () =>
        runInDurableObject(
          runnerOf(ending),
          (_, { storage }) =>
            storage.sql.exec("SELECT 1 FROM runs WHERE phase = 'closed'").toArray().length === 1,
        ),
      );
      second = await start(tenant, waiting);
      const stateOfSecond = async () => (await tenant.get(`/deployments/${second}`)).body.state;
      await until(
        "the second has asked for a slot",
        async () =>
          (await places()).some(({ id }) => id === second) || (await stateOfSecond()) !== "QUEUED",
      );
      for (const instanceId of [ending, waiting]) {
        await runnerOf(instanceId).wake();
        await scheduler.wait(50);
        expect(await places()).toEqual([
          { id: first, holds: 1 },
          { id: second, holds: 0 },
        ]);
      }
      expect(await stateOfSecond()).toBe("QUEUED");
    } finally {
      await env.DB.exec("DROP TRIGGER refuse");
    }
    await runnerOf(ending).wake();
    for (const id of [first, second])
      expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    await until("both slots are released", async () => (await places()).length === 0);
  });
});

describe("a projection", () => {
  it("that D1 rejects is kept until the run is closed, also if the runner dies between", async () => {
    const { targetId, instanceId } = await make();
    const seen = { first: 0, crashed: false };
    await runInDurableObject(runnerOf(instanceId), (runner, state) => {
      runner.crashPoint = async (when, number) => {
        seen.first ||= number;
        // Loaded; started, which D1 will reject; closed.
        const commit = number - seen.first + 1;
        if (when === "before" && commit === 2)
          await env.DB.prepare(
            "UPDATE deployments SET state = 'CANCELED', version = version + 1 WHERE instance_id = ?",
          )
            .bind(instanceId)
            .run();
        if (when === "after" || commit !== 3) return;
        seen.crashed = true;
        state.abort("a crash that the test plans");
        await new Promise(() => undefined);
      };
    });
    const deploymentId = await start(tenant, instanceId);
    await until("the runner died", () => seen.crashed);
    await runnerOf(instanceId).wake();
    await until("the run is closed", async () =>
      runInDurableObject(
        runnerOf(instanceId),
        (_, { storage }) =>
          storage.sql.exec("SELECT 1 FROM runs WHERE phase = 'closed'").toArray().length === 1,
      ),
    );
    expect(await ledger(targetId)).toEqual([]);
    const { body } = await tenant.get(`/deployments/${deploymentId}`);
    expect(body.state).toBe("CANCELED");
    expect(await eventsOf(deploymentId)).toEqual(["queued"]);
  });

  const scene = async () => {
    const { instanceId } = await make();
    const deploymentId = await queueWithoutNotice(instanceId);
    const place = { deploymentId, tenantId: tenant.tenantId, instanceId };
    const started: Projection = {
      ...place,
      number: 1,
      atMs: Date.now(),
      moves: [
        {
          ifQueued: true,
          state: "PLANNING",
          event: {
            id: newId(),
            type: "deployment.started",
            data: deploymentEventData(
              { id: deploymentId, instanceId, operation: "deploy" },
              { from: "QUEUED", to: "PLANNING" },
            ),
          },
        },
      ],
    };
    const snapshotOf = (more: Partial<Projection> = {}, projected = 0): Snapshot => {
      const projection = { ...started, ...more };
      return withProjection(emptySnapshot(projection, projected), projection).snapshot;
    };
    /** Sends it as the runner does: as a projection, and as a comparison if D1 refuses that. */
    const send = async (db: D1Database, snapshot: Snapshot) =>
      (await writeSnapshot({ db: openDb(db), env }, snapshot, {}, undefined)) ??
      reconcileSnapshot(
        { db: openDb(db), env },
        { snapshot },
        { instance: {}, hasSnapshotOf: () => true },
        Date.now(),
      );
    const row = async () =>
      env.DB.prepare("SELECT state, projected, version FROM deployments WHERE id = ?")
        .bind(deploymentId)
        .first();
    return { deploymentId, instanceId, started, snapshotOf, send, row };
  };
  /** A D1 whose first batch fails, before or after it was committed. */
  const failingOnce = (when: "before" | "after"): D1Database => {
    let failed = false;
    return {
      prepare: (query: string) => env.DB.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        if (failed) return env.DB.batch(statements);
        failed = true;
        if (when === "after") await env.DB.batch(statements);
        throw new Error("D1_ERROR: the connection was lost");
      },
    } as unknown as D1Database;
  };

  it.for(["before", "after"] as const)(
    "that failed %s the commit is applied once, however often it is repeated",
    async (when) => {
      const { deploymentId, snapshotOf, send, row } = await scene();
      const snapshot = snapshotOf();
      const db = failingOnce(when);
      await expect(send(db, snapshot)).rejects.toThrow("the connection was lost");
      for (let times = 0; times < 2; times += 1)
        expect(await send(db, snapshot)).toMatchObject({
          state: "PLANNING",
          ack: { number: 1, version: 2, sequences: new Map([[snapshot.events[0]?.id, 2]]) },
        });
      expect(await row()).toEqual({ state: "PLANNING", projected: 1, version: 2 });
      // A later projection does not depend on D1's present state.
      const later = snapshotOf({ number: 2, moves: [{ state: "APPLYING" }] }, 1);
      const again = failingOnce(when);
      await expect(send(again, later)).rejects.toThrow("the connection was lost");
      for (let times = 0; times < 2; times += 1)
        expect(await send(again, later)).toMatchObject({ ack: { number: 2, version: 3 } });
      expect(await row()).toEqual({ state: "APPLYING", projected: 2, version: 3 });
      expect(await eventsOf(deploymentId)).toEqual(["started"]);
    },
  );

  it.for(["before", "after"] as const)(
    "of an ended wait that failed %s the commit is applied once",
    async (when) => {
      const { deploymentId, instanceId, row } = await scene();
      await env.DB.prepare("UPDATE deployments SET state = 'AWAITING_APPROVAL' WHERE id = ?")
        .bind(deploymentId)
        .run();
      const run = { deploymentId, tenantId: tenant.tenantId, instanceId };
      const end = (db: D1Database) =>
        endWaiting({ db: openDb(db), env }, run, "deploy", "EXPIRED", {
          id: newId(),
          atMs: Date.now(),
        });
      await expect(end(failingOnce(when))).rejects.toThrow("the connection was lost");
      for (let times = 0; times < 2; times += 1)
        expect(await end(env.DB)).toMatchObject({ standing: { state: "EXPIRED" } });
      expect(await row()).toEqual({ state: "EXPIRED", projected: 0, version: 2 });
      expect(await eventsOf(deploymentId)).toEqual(["expired"]);
    },
  );

  it("writes nothing for a deployment that does not exist, is another tenant's, or was canceled", async () => {
    const { deploymentId, snapshotOf, send, row } = await scene();
    const other = await makeTenant();
    const rejected = { is: "rejected", standing: undefined };
    expect(await send(env.DB, snapshotOf({ deploymentId: newId() }))).toEqual(rejected);
    expect(await send(env.DB, snapshotOf({ tenantId: other.tenantId }))).toEqual(rejected);
    await env.DB.prepare("UPDATE deployments SET state = 'CANCELED' WHERE id = ?")
      .bind(deploymentId)
      .run();
    expect(await send(env.DB, snapshotOf())).toEqual({
      is: "rejected",
      standing: { state: "CANCELED", error: null },
    });
    expect(await row()).toEqual({ state: "CANCELED", projected: 0, version: 1 });
    expect(await eventsOf(deploymentId)).toEqual([]);
  });
});

describe("a notification", () => {
  const notify = async (instanceId: string, ...bodies: unknown[]) => {
    const batch = createMessageBatch(
      "control-deployments",
      bodies.map((body) => ({
        id: newId(),
        timestamp: new Date(0),
        attempts: 1,
        body:
          typeof body === "string"
            ? { deploymentId: body, tenantId: tenant.tenantId, instanceId }
            : body,
      })),
    );
    const context = createExecutionContext();
    await consumeDeployments(batch, env, context);
    return getQueueResult(batch, context);
  };

  it("that is duplicated, concurrently and after the end, starts one run", async () => {
    const { targetId, instanceId } = await make();
    const id = await queueWithoutNotice(instanceId);
    const result = await notify(instanceId, id, id);
    expect(result.retryMessages).toEqual([]);
    expect(result.explicitAcks).toHaveLength(2);
    await notify(instanceId, id);
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    await notify(instanceId, id);
    const later = await run(tenant, instanceId, "deploy");
    expect(later.body.state).toBe("NO_CHANGES");
    expect(await eventsOf(id)).toEqual(events.slice(1));
    expect(await ledger(targetId)).toHaveLength(1);
  });

  it("that is unreadable is recorded and acknowledged, and the others take effect", async () => {
    const { instanceId } = await make();
    const id = await queueWithoutNotice(instanceId);
    const unreadable = newId();
    const result = await notify(instanceId, { deploymentId: unreadable, tenantId: 5 }, id, null);
    expect(result.retryMessages).toEqual([]);
    expect(result.explicitAcks).toHaveLength(3);
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    const recorded = await env.DB.prepare(
      "SELECT payload ->> '$.data.queue' AS queue FROM events WHERE type = 'message.dead_lettered' AND payload ->> '$.data.work.deploymentId' = ?",
    )
      .bind(unreadable)
      .all();
    expect(recorded.results).toEqual([{ queue: "control-deployments" }]);
  });

  it("that overtakes the one of an earlier deployment starts its run; the earlier one follows", async () => {
    const { targetId, instanceId } = await make();
    const first = await queueWithoutNotice(instanceId);
    const second = await queueWithoutNotice(instanceId);
    await notify(instanceId, second);
    expect((await untilOver(tenant, second)).body.state).toBe("SUCCEEDED");
    await notify(instanceId, first);
    expect((await untilOver(tenant, first)).body.state).toBe("NO_CHANGES");
    expect(await ledger(targetId)).toHaveLength(1);
  });

  it("for a deployment that does not exist has no effect", async () => {
    const { targetId, instanceId } = await make();
    await notify(instanceId, newId());
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
  });

  it("that was lost is repeated by the sweep once the deployment has stalled", async () => {
    const { instanceId } = await make();
    const id = await queueWithoutNotice(instanceId);
    const knownRuns = async (): Promise<number> =>
      runInDurableObject(
        runnerOf(instanceId),
        (_, { storage }) =>
          storage.sql.exec("SELECT 1 FROM runs WHERE deployment_id = ?", id).toArray().length,
      );
    const sweepAt = async (nowMs: number): Promise<void> => sweepDeployments(env, nowMs);
    await sweepAt(Date.now());
    expect(await knownRuns()).toBe(0);
    await sweepAt(Date.now() + 31_000);
    expect(await knownRuns()).toBe(1);
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
  });
});
