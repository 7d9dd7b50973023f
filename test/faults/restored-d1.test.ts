/**
 * D1 is restored to an earlier moment of a run, edited, or loses rows. The next notification, sweep or reconciliation
 * writes the runner's facts again. Nothing is doubled, and sequences rise.
 */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { sweepRestored } from "#orchestrator/runner/sweep-restored.ts";
import { openDb } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import { sequenceProblems } from "#test/invariants/sequences.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { ledger, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import {
  eventsOf,
  holdBefore,
  type LostTrip,
  runnerOf,
  start,
  until,
  watchRoundTrips,
} from "#test/support/runner.ts";
import { copyRows, type Moment, putBack, watchMoments } from "#test/support/time-travel.ts";
import { runScenes } from "./run-scenes.ts";

/** At this time every open row has stalled. */
const LATER_MS = 3_600_000;

/** The events of requests, which a runner does not know. */
const ofRequests =
  /^deployment\.(queued|approved|discarded|canceling|canceled from QUEUED)$|^instance\.(created|updated)$/;
/** Events of requests that the runner writes again when it restores the state after them. */
const endsOfRequests = /^deployment\.(discarded|canceled from QUEUED)$/;
const active = new Set<unknown>(["QUEUED", "PLANNING", "APPLYING", "CANCELING"]);

beforeAll(async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));
  await emptyDatabase();
  // Receives the events of every tenant.
  const made = await operator.post("/webhooks", {
    url: "https://restored.example/",
    events: ["*"],
  });
  expect(made.status, made.text).toBe(201);
});
afterAll(() => vi.restoreAllMocks());

/** A reader's view, without the values that a reconciliation may change: versions, times of requests, the sequences. */
function shown(moment: Moment) {
  const leaving = (names: readonly string[], row: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
  const { deployments = [], instances = [], events = [], webhook_deliveries: sent = [] } = moment;
  return {
    deployments: deployments.map((row) => ({
      // Only the sweep reads that flag. It is cleared when the runner has answered.
      ...leaving(["version", "updated_at_ms", "awaits_runner"], row),
      timestamps: Object.keys(JSON.parse(String(row["timestamps"]))).sort(),
    })),
    plans: moment["deployment_plans"],
    instances: instances.map((row) => leaving(["version", "updated_at_ms"], row)),
    events: events.map(({ id, type }) => `${String(type)} ${String(id)}`).sort(),
    deliveries: sent.map((row) => `${String(row["webhook_id"])} ${String(row["event_id"])}`).sort(),
  };
}

/** The moment without these events and their deliveries. */
function without(moment: Moment, events: readonly Record<string, unknown>[]): Moment {
  const ids = new Set(events.map(({ id }) => id));
  return {
    ...moment,
    events: (moment["events"] ?? []).filter(({ id }) => !ids.has(id)),
    webhook_deliveries: (moment["webhook_deliveries"] ?? []).filter(
      (row) => !ids.has(row["event_id"]),
    ),
  };
}

function kindOf({ type, payload }: Record<string, unknown>): string {
  const { data } = JSON.parse(String(payload)) as { data: { previousState?: string } };
  return type === "deployment.canceled" ? `${type} from ${data.previousState}` : String(type);
}

const sequencesOf = (moment: Moment) =>
  Object.fromEntries(
    (moment["events"] ?? []).map(({ id, payload }) => [
      String(id),
      Number(JSON.parse(String(payload)).sequence),
    ]),
  );

function expectRising(moment: Moment, label: string): void {
  const rows = [...(moment["deployments"] ?? []), ...(moment["instances"] ?? [])];
  const sequences = sequencesOf(moment);
  for (const row of rows) {
    const own = (moment["events"] ?? [])
      .filter((event) => event["resource_id"] === row["id"])
      .map(({ id, type }) => ({
        id: String(id),
        type: String(type),
        sequence: sequences[String(id)] ?? 0,
      }));
    const version = Number(row["version"]);
    expect(sequenceProblems(String(row["id"]), own, { version }), label).toEqual([]);
  }
}

describe("D1 that is restored to an earlier moment of a run", () => {
  const { prepare, scenes, make } = runScenes();
  beforeAll(prepare);

  it.for([
    "creates",
    "updates, replaces and deletes",
    "waits for approval, and is approved",
    "waits for approval, and is discarded",
    "waits for approval until it expires",
    "is canceled while it waits for a slot",
    "is canceled between two attempts",
    "checks for drift",
  ])("has all of it again after a run that %s", { timeout: 60_000 }, async (name) => {
    const scene = scenes[name];
    if (scene === undefined) throw new Error(`No scene ${name}`);
    const place = await make(scene);
    const { instanceId, targetId } = place;
    const before = await copyRows(instanceId);
    const moments = await watchMoments(instanceId);
    const [deploymentId = ""] = await scene.act(place);
    await until("the runner is idle", async () =>
      runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
        const left = storage.sql.exec(
          "SELECT 1 FROM runs WHERE phase <> 'closed' UNION ALL SELECT 1 FROM snapshots WHERE number > acked",
        );
        return left.toArray().length === 0;
      }),
    );
    const whole = await copyRows(instanceId);
    const made = await ledger(targetId);
    expect(moments.length).toBeGreaterThan(1);
    for (const [at, moment] of [before, ...moments].entries()) {
      const label = `moment ${at} of ${moments.length}`;
      await putBack(instanceId, moment);
      const restored = moment["deployments"]?.find(({ id }) => id === deploymentId);
      const wanted = shown(whole);
      const kept = new Set((moment["events"] ?? []).map(({ id }) => String(id)));
      const lost = (whole["events"] ?? [])
        .filter((event) => ofRequests.test(kindOf(event)) && !kept.has(String(event["id"])))
        .map(({ id }) => String(id));
      const stays = (text: string) => !lost.some((id) => text.endsWith(id));
      wanted.events = wanted.events.filter(stays);
      wanted.deliveries = wanted.deliveries.filter(stays);
      if (active.has(restored?.["state"])) await sweepDeployments(env, Date.now() + LATER_MS);
      else await runnerOf(instanceId).reconcile();
      const started = whole["deployments"]?.some((row) => Number(row["projected"]) > 0);
      if (restored === undefined && !started) continue;
      await until(`it is reconciled at ${label}`, async () => {
        const now = (await copyRows(instanceId))["deployments"];
        return now?.find(({ id }) => id === deploymentId)?.["state"] === scene.states[0];
      });
      const reconciled = await copyRows(instanceId);
      const known = new Set((whole["events"] ?? []).map(({ id }) => id));
      const toldAgain = (reconciled["events"] ?? []).filter(({ id }) => !known.has(id));
      for (const event of toldAgain) expect(kindOf(event), label).toMatch(endsOfRequests);
      expect(toldAgain.length, label).toBe(
        (whole["events"] ?? []).filter(
          (event) => lost.includes(String(event["id"])) && endsOfRequests.test(kindOf(event)),
        ).length,
      );
      const seen = shown(without(reconciled, toldAgain));
      // If D1 has lost a request, its time is lost too.
      for (const [row, expected] of seen.deployments.map((each, n) => [
        each,
        wanted.deployments[n],
      ]))
        if (row && expected)
          expected.timestamps = expected.timestamps.filter(
            (state) => state !== "CANCELING" || row.timestamps.includes(state),
          );
      expect(seen, label).toEqual(wanted);
      expectRising(reconciled, label);
      const sequences = sequencesOf(whole);
      for (const [id, sequence] of Object.entries(sequencesOf(without(reconciled, toldAgain))))
        expect(sequence, label).toBe(sequences[id]);
      expect(await runnerOf(instanceId).reconcile(), label).toMatchObject({
        deployments: 0,
        events: 0,
        plans: 0,
        instance: false,
      });
      expect(shown(without(await copyRows(instanceId), toldAgain)), label).toEqual(wanted);
    }
    expect(await ledger(targetId)).toEqual(made);
  });
});

describe("D1 that says less than the runner", () => {
  const source = `name: restored
runtime: yaml
resources:
  app: { type: mock:Server, properties: { name: app } }
outputs:
  name: \${app.name}
`;
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });
  const deployed = async () => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const moments = await watchMoments(instanceId);
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("SUCCEEDED");
    const whole = await copyRows(instanceId);
    return { targetId, instanceId, deploymentId: body.id as string, moments, whole };
  };
  const stateOf = async (deploymentId: string): Promise<unknown> =>
    (await tenant.get(`/deployments/${deploymentId}`)).body.state;
  const sweep = async (): Promise<void> => sweepDeployments(env, Date.now() + LATER_MS);
  const all = ["queued", "started", "planned", "applying", "succeeded"];

  it("while the run goes on is put right by the run's next projection", async () => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const moments = await watchMoments(instanceId);
    // Commits: loaded, planning, applying, intent, outcome.
    const hold = await holdBefore(instanceId, 5);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    const first = moments.find(({ deployments }) => deployments?.[0]?.["state"] === "QUEUED");
    if (first === undefined) throw new Error("No moment of the queue");
    await putBack(instanceId, first);
    hold.release();
    await until("it has ended", async () => (await stateOf(deploymentId)) === "SUCCEEDED");
    expect(await eventsOf(deploymentId)).toEqual(all);
    expectRising(await copyRows(instanceId), "afterwards");
    expect(await ledger(targetId)).toHaveLength(1);
    expect((await tenant.get(`/instances/${instanceId}`)).body).toMatchObject({
      state: "ACTIVE",
      outputs: { name: "app" },
      lastDeploymentId: deploymentId,
    });
  });

  it.for(
    [1, 2].flatMap((trip): LostTrip[] => [
      { when: "before", trip },
      { when: "after", trip },
    ]),
  )("is put right once, although round trip $trip is lost $when its effect", async (plan) => {
    const { instanceId, deploymentId, moments, whole } = await deployed();
    await putBack(instanceId, moments[1] ?? whole);
    const loss = await watchRoundTrips(instanceId, plan);
    await sweep();
    await until("it is put right", async () => {
      if (loss.lost) await runnerOf(instanceId).wake();
      return loss.lost && (await stateOf(deploymentId)) === "SUCCEEDED";
    });
    await sweep();
    expect(shown(await copyRows(instanceId))).toEqual(shown(whole));
    expectRising(await copyRows(instanceId), "afterwards");
  });

  it("and the runner that dies while it reconciles: the sweep repeats it", async () => {
    const { instanceId, deploymentId, moments, whole } = await deployed();
    await putBack(instanceId, moments[1] ?? whole);
    await runInDurableObject(runnerOf(instanceId), (runner, state) => {
      const die = () => {
        state.abort("a crash that the test plans");
        return new Promise<never>(() => undefined);
      };
      runner.db = openDb({ prepare: env.DB.prepare.bind(env.DB), batch: die } as never);
    });
    await sweep();
    await scheduler.wait(20);
    expect(await stateOf(deploymentId)).toBe("QUEUED");
    await sweep();
    await until("it is put right", async () => (await stateOf(deploymentId)) === "SUCCEEDED");
    expect(shown(await copyRows(instanceId))).toEqual(shown(whole));
  });

  it("and a cancel of what has long ended: the row says how it ended, and no sequence is used twice", async () => {
    const { instanceId, deploymentId, moments, whole } = await deployed();
    await putBack(instanceId, moments[1] ?? whole);
    expect(await stateOf(deploymentId)).toBe("QUEUED");
    expect((await tenant.post(`/deployments/${deploymentId}/cancel`)).status).toBe(202);
    await until("it is put right", async () => (await stateOf(deploymentId)) === "SUCCEEDED");
    const events = await eventsOf(deploymentId);
    expect(events).toEqual(["queued", "canceled", "started", "planned", "applying", "succeeded"]);
    const { body } = await tenant.get(`/instances/${instanceId}`);
    expect(body).toMatchObject({ state: "ACTIVE", lastDeploymentId: deploymentId });
  });

  it("and a cancel between the reconciliation's read and its write: neither overwrites the other", async () => {
    const { instanceId, deploymentId, moments, whole } = await deployed();
    await putBack(instanceId, moments[1] ?? whole);
    const id = newId();
    const cancel = [
      env.DB.prepare(
        "UPDATE deployments SET state = 'CANCELED', version = version + 1 WHERE id = ?",
      ).bind(deploymentId),
      env.DB.prepare(
        `INSERT INTO events (tenant_id, id, type, resource_type, resource_id, payload, created_at_ms)
          SELECT tenant_id, ?2, 'deployment.canceled', resource_type, resource_id, json_set(payload, '$.id', ?2, '$.sequence', 2,
            '$.type', 'deployment.canceled', '$.data.state', 'CANCELED', '$.data.previousState', 'QUEUED'), created_at_ms
          FROM events WHERE resource_id = ?1 AND type = 'deployment.queued'`,
      ).bind(deploymentId, id),
    ];
    let batches = 0;
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      const batch = async (statements: D1PreparedStatement[]) => {
        batches += 1;
        // Two reads come first: a page of deployments, and the deployment that lags.
        if (batches === 3) await env.DB.batch(cancel);
        return env.DB.batch(statements);
      };
      runner.db = openDb({ prepare: env.DB.prepare.bind(env.DB), batch } as never);
    });
    expect(await runnerOf(instanceId).reconcile()).toMatchObject({ deployments: 1, events: 5 });
    expect(batches).toBe(5);
    const kinds = ["queued", "canceled", "started", "planned", "applying", "succeeded"];
    expect(await eventsOf(deploymentId)).toEqual(kinds);
    expect(await stateOf(deploymentId)).toBe("SUCCEEDED");
  });

  it("and a cancel of what still runs: the run is canceled", async () => {
    const targetId = await makeTarget(tenant, { readyAfterMs: 60_000 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const moments = await watchMoments(instanceId);
    const deploymentId = await start(tenant, instanceId);
    await until("it applies", async () => (await stateOf(deploymentId)) === "APPLYING");
    const first = moments.find(({ deployments }) => deployments?.[0]?.["state"] === "QUEUED");
    await putBack(instanceId, first ?? {});
    expect((await tenant.post(`/deployments/${deploymentId}/cancel`)).body.state).toBe("CANCELED");
    await until("the runner has ended it", async () =>
      runInDurableObject(
        runnerOf(instanceId),
        (_, { storage }) => storage.sql.exec("SELECT phase FROM runs").one()["phase"] === "closed",
      ),
    );
    await sweepDeployments(env, Date.now() + 60_000);
    await until("the row waits for nothing", async () => {
      const row = await env.DB.prepare(
        "SELECT state, awaits_runner AS waits FROM deployments WHERE id = ?",
      )
        .bind(deploymentId)
        .first();
      return row?.["state"] === "CANCELED" && row["waits"] === 0;
    });
  });

  it("of a cancel that its runner has not followed yet: the deployment is canceled, and an event says so", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
    const holder = { deploymentId: newId(), instanceId: newId(), capacity: 1 };
    expect(await gate.acquire(holder)).toMatchObject({ granted: true });
    const deploymentId = await start(tenant, instanceId);
    await until("it waits for a slot", async () =>
      runInDurableObject(
        runnerOf(instanceId),
        (_, { storage }) =>
          storage.sql.exec("SELECT 1 FROM runs WHERE ticket IS NOT NULL").toArray().length > 0,
      ),
    );
    // The same as after a cancel that D1 has lost.
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
      storage.sql.exec("UPDATE runs SET canceling = 1");
    });
    await evictDurableObject(runnerOf(instanceId));
    await until("it is canceled", async () => {
      await sweep();
      return (await stateOf(deploymentId)) === "CANCELED";
    });
    expect(await eventsOf(deploymentId)).toEqual(["queued", "canceled"]);
    expectRising(await copyRows(instanceId), "afterwards");
    await sweep();
    expect(await eventsOf(deploymentId)).toEqual(["queued", "canceled"]);
    expect(await ledger(targetId)).toEqual([]);
  });

  it("nothing, of a start that it rejected: a reconciliation leaves the instance's last deployment", async () => {
    const { instanceId, deploymentId } = await deployed();
    // The commits of a run: loaded, then started.
    const hold = await holdBefore(instanceId, 2);
    const canceled = await start(tenant, instanceId);
    await hold.reached();
    expect((await tenant.post(`/deployments/${canceled}/cancel`)).body.state).toBe("CANCELED");
    hold.release();
    await until("its run has ended", async () =>
      runInDurableObject(
        runnerOf(instanceId),
        (_, { storage }) =>
          storage.sql
            .exec("SELECT 1 FROM runs WHERE deployment_id = ? AND phase = 'closed'", canceled)
            .toArray().length > 0,
      ),
    );
    expect(await runnerOf(instanceId).reconcile()).toMatchObject({
      deployments: 0,
      instance: false,
    });
    const { body } = await tenant.get(`/instances/${instanceId}`);
    expect(body.lastDeploymentId).toBe(deploymentId);
  });

  describe("of all instances", () => {
    const later = 10 * 60_000;
    const swept = async (nowMs: number): Promise<void> => sweepRestored(env, nowMs);
    const noted = async (): Promise<unknown> =>
      env.DB.prepare("SELECT reconciled_to AS page FROM sweep_watch").first("page");

    it("is noticed by the sweep, even where rows are missing or say that all is over", async () => {
      const [missing, failed] = [await deployed(), await deployed()];
      const nowMs = Date.now();
      await swept(nowMs);
      expect(await noted()).toBeNull();
      await env.DB.prepare("DELETE FROM deployments WHERE instance_id = ?")
        .bind(missing.instanceId)
        .run();
      await env.DB.prepare("UPDATE deployments SET state = 'FAILED' WHERE instance_id = ?")
        .bind(failed.instanceId)
        .run();
      // A minute later, nothing shows that D1 was restored.
      await swept(nowMs + 60_000);
      expect(await stateOf(failed.deploymentId)).toBe("FAILED");
      await swept(nowMs + later);
      expect(await stateOf(failed.deploymentId)).toBe("SUCCEEDED");
      expect(await stateOf(missing.deploymentId)).toBe("SUCCEEDED");
      expect(await noted()).toBeNull();
    });

    it("tries an instance thirty times that fails each time", async () => {
      const { instanceId } = await deployed();
      let asked = 0;
      const failing = {
        idFromName: (name: string) => name,
        get: (name: string) => ({
          followRestore: async () => {
            if (name !== instanceId) return false;
            asked += 1;
            throw new Error("a fault that the test plans");
          },
        }),
      };
      const bindings = { ...env, INSTANCE_RUNNER: failing } as unknown as typeof env;
      await env.DB.prepare("DELETE FROM sweep_watch").run();
      const nowMs = Date.now() + later;
      for (let minute = 0; minute < 40; minute += 1)
        await sweepRestored(bindings, nowMs + minute * 60_000);
      expect(asked).toBe(30);
      expect(await noted()).toBeNull();
    });

    it("is reconciled a page at a time, with an instance that cannot be reconciled at once", async () => {
      const nowMs = Date.now() + 2 * later;
      await env.DB.prepare("DELETE FROM sweep_watch").run();
      const asked: string[] = [];
      const failing = {
        idFromName: (name: string) => name,
        get: (name: string) => ({
          followRestore: async () => {
            asked.push(name);
            if (asked.length === 3) throw new Error("a fault that the test plans");
            return asked.length === 5;
          },
        }),
      };
      const { tenantId } = tenant;
      const ids = Array.from({ length: 60 }, () => newId());
      const { instanceId } = await deployed();
      const columns = `tenant_id, name, search_text, labels, template_id, template_version, target_id, variables, bindings, deployed,
        protected_from_destroy, state, drift, outputs, state_serial, version, created_at_ms, updated_at_ms`;
      await env.DB.batch(
        ids.map((id) =>
          env.DB.prepare(
            `INSERT INTO instances (id, ${columns}) SELECT ?, ${columns} FROM instances WHERE id = ? AND tenant_id = ?`,
          ).bind(id, instanceId, tenantId),
        ),
      );
      const total = Number(await env.DB.prepare("SELECT count(*) AS n FROM instances").first("n"));
      const bindings = { ...env, INSTANCE_RUNNER: failing } as unknown as typeof env;
      const pages = Math.floor(total / 50) + 1;
      for (let page = 0; page < pages; page += 1) {
        await sweepRestored(bindings, nowMs + page * 60_000);
        if (page === 0) expect(asked).toHaveLength(50);
      }
      expect(await noted()).toBeNull();
      // The third instance was asked twice, and so was the fifth, which had an open run.
      expect(asked).toHaveLength(total + 2);
      expect(new Set(asked).size).toBe(total);
      expect(asked.indexOf(asked[2] ?? "", 3)).toBeGreaterThan(49);
      expect(asked.indexOf(asked[4] ?? "", 5)).toBeGreaterThan(49);
      await sweepRestored(bindings, nowMs + pages * 60_000);
      expect(asked).toHaveLength(total + 2);
      await env.DB.prepare("DELETE FROM instances WHERE id IN (SELECT value FROM json_each(?))")
        .bind(JSON.stringify(ids))
        .run();
    });
  });

  it.for(["the sweep", "a late message"])(
    "does not start a run again whose log was pruned, notified by %s",
    async (by) => {
      const { instanceId, targetId, deploymentId, moments, whole } = await deployed();
      await runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
        storage.sql.exec("DELETE FROM journal");
        storage.sql.exec("DELETE FROM runs");
      });
      await putBack(instanceId, moments[0] ?? whole);
      expect(await stateOf(deploymentId)).toBe("QUEUED");
      const { tenantId } = tenant;
      if (by === "the sweep") await sweep();
      else await runnerOf(instanceId).notify({ deploymentId, tenantId, instanceId });
      await until("it is put right", async () => (await stateOf(deploymentId)) === "SUCCEEDED");
      expect(shown(await copyRows(instanceId))).toEqual(shown(whole));
      expect(await ledger(targetId)).toHaveLength(1);
    },
  );

  it("because somebody edited it: a reconciliation says what it wrote", async () => {
    const { instanceId, deploymentId, whole } = await deployed();
    const reconcile = async () => {
      const before = await copyRows(instanceId);
      const dry = await operator.post(`/instances/${instanceId}/reconcile?dryRun=true`);
      expect(await copyRows(instanceId), "a dry run writes nothing").toEqual(before);
      const { status, body } = await operator.post(`/instances/${instanceId}/reconcile`);
      expect([status, body.instanceId]).toEqual([200, instanceId]);
      expect([dry.status, dry.body]).toEqual([200, body]);
      const { instanceId: _, ...counts } = body;
      return counts;
    };
    const edit = async (query: string) => env.DB.prepare(query).bind(instanceId).run();
    const none = { compared: 1, deployments: 0, inserted: 0, events: 0, plans: 0, instance: false };
    expect(await reconcile()).toEqual({ ...none, lost: 0 });

    await edit(
      "UPDATE deployments SET state = 'FAILED', summary = NULL, error = '{}' WHERE instance_id = ?",
    );
    expect(await reconcile()).toMatchObject({ ...none, deployments: 1 });
    await edit("UPDATE instances SET outputs = '{}', state = 'FAILED' WHERE id = ?");
    expect(await reconcile()).toMatchObject({ ...none, instance: true });
    await edit(
      "DELETE FROM deployment_plans WHERE deployment_id IN (SELECT id FROM deployments WHERE instance_id = ?)",
    );
    expect(await reconcile()).toMatchObject({ ...none, plans: 1 });
    await edit(
      "DELETE FROM events WHERE type IN ('deployment.started', 'deployment.applying') AND resource_id IN (SELECT id FROM deployments WHERE instance_id = ?)",
    );
    expect(await reconcile()).toMatchObject({ ...none, deployments: 1, events: 2 });
    await edit("DELETE FROM deployments WHERE instance_id = ?");
    expect(await reconcile()).toMatchObject({ ...none, deployments: 1, inserted: 1 });

    expect(await reconcile()).toEqual({ ...none, lost: 0 });
    const audited = await operator.get(
      `/audit-events?tenantId=${tenant.tenantId}&action=instance.reconcile`,
    );
    expect(audited.body.data).toHaveLength(7);
    const reconciled = await copyRows(instanceId);
    expect(shown(reconciled).instances).toEqual(shown(whole).instances);
    expect(shown(reconciled).plans).toEqual(shown(whole).plans);
    expect(sequencesOf(reconciled)).toEqual(sequencesOf(whole));
    expect(await eventsOf(deploymentId)).toEqual(all);
    expect((await tenant.get(`/deployments/${deploymentId}`)).body.state).toBe("SUCCEEDED");
  });

  it("is not put right at the request of a tenant, its own owner included", async () => {
    const { instanceId, deploymentId } = await deployed();
    await env.DB.prepare("UPDATE deployments SET state = 'FAILED' WHERE instance_id = ?")
      .bind(instanceId)
      .run();
    const stranger = await makeTenant();
    for (const client of [tenant, stranger]) {
      const refused = await client.post(`/instances/${instanceId}/reconcile`);
      expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    }
    expect(await stateOf(deploymentId)).toBe("FAILED");
  });

  it("of an event that is older than D1 keeps events is left so", async () => {
    const { instanceId } = await deployed();
    await env.DB.prepare(
      "DELETE FROM events WHERE resource_id IN (SELECT id FROM deployments WHERE instance_id = ?)",
    )
      .bind(instanceId)
      .run();
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      runner.now = () => Date.now() + 29.5 * 86_400_000;
    });
    expect(await runnerOf(instanceId).reconcile()).toMatchObject({ deployments: 0, events: 0 });
  });

  it.for([
    ["instance", "DELETE FROM instances WHERE id = ?1"],
    ["tenant", "DELETE FROM tenants WHERE id = (SELECT tenant_id FROM instances WHERE id = ?1)"],
  ] as const)("because the %s was deleted gets no row back", async ([, deletion]) => {
    const owner = await makeTenant();
    const targetId = await makeTarget(owner);
    const template = await makeTemplate(owner, source);
    const instanceId = await makeInstance(owner, template, targetId);
    const { body } = await run(owner, instanceId, "deploy");
    expect(body.state).toBe("SUCCEEDED");
    await env.DB.prepare(deletion).bind(instanceId).run();
    await env.DB.prepare("DELETE FROM deployments WHERE instance_id = ?").bind(instanceId).run();
    const { tenantId } = owner;
    expect(await runnerOf(instanceId).reconcile()).toMatchObject({ lost: 1, deployments: 0 });
    await runnerOf(instanceId).notify({ deploymentId: body.id, tenantId, instanceId });
    await scheduler.wait(30);
    expect((await copyRows(instanceId))["deployments"]).toEqual([]);
  });
});
