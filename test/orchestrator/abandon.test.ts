/** An operator abandons a deployment: it ends at once in every state, and no object that may exist is forgotten. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { newId } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { type Answer, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { letBecomeReady } from "#test/support/let-become-ready.ts";
import { livenessProblems, watchLiveness } from "#test/support/liveness.ts";
import { makeMember } from "#test/support/members.ts";
import { placedAt } from "#test/support/places.ts";
import { eventsOf, holdBefore, messagesOf, runnerOf, start, until } from "#test/support/runner.ts";
import { storedSerial } from "#test/support/stored-facts.ts";
import { together } from "#test/support/together.ts";

const source = `name: abandoned
runtime: yaml
resources:
  app: { type: mock:Server, properties: { name: app } }
  later: { type: mock:Bucket, properties: { name: later, app: "\${app.id}" } }
`;
const HOUR_MS = 3_600_000;
const reason = "It hangs.";
const message = `An operator abandoned the deployment: ${reason}`;
const error = { code: "abandoned", message, fault: "service" };

describe("an operator's abandon", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    await emptyDatabase();
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });

  const make = async (config: JsonMap = {}, more: JsonMap = {}) => {
    const targetId = await makeTarget(tenant, config, { maxConcurrentDeployments: 1 });
    const instanceId = await makeInstance(tenant, templateId, targetId, more);
    await watchLiveness(instanceId);
    return { targetId, instanceId };
  };
  const abandon = (id: string, by: Pick<TestTenant, "post"> = operator): Promise<Answer> =>
    by.post(`/deployments/${id}/abandon`, { reason });
  const setConfig = async (targetId: string, config: JsonMap): Promise<void> => {
    expect((await tenant.patch(`/cloud/targets/${targetId}`, { config })).status).toBe(200);
  };
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources()).map(({ name, state }) => `${name} ${state}`);
  const gateOf = (targetId: string) => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
  const places = async (targetId: string) =>
    runInDurableObject(gateOf(targetId), (_, { storage }) => placedAt(storage));
  const phaseOf = async (instanceId: string, id: string) =>
    runInDurableObject(
      runnerOf(instanceId),
      (_, { storage }) =>
        storage.sql.exec("SELECT phase FROM runs WHERE deployment_id = ?", id).toArray()[0]?.[
          "phase"
        ],
    );
  const closed = async (instanceId: string, id: string): Promise<void> =>
    until(
      "its runner has closed the run",
      async () => (await phaseOf(instanceId, id)) === "closed",
    );
  const unwritten = async (instanceId: string): Promise<number> =>
    runInDurableObject(
      runnerOf(instanceId),
      (_, { storage }) =>
        storage.sql.exec("SELECT 1 FROM snapshots WHERE number > acked").toArray().length,
    );
  const flag = async (id: string) =>
    env.DB.prepare("SELECT awaits_runner FROM deployments WHERE id = ?")
      .bind(id)
      .first("awaits_runner");
  const serials = async (instanceId: string): Promise<unknown[]> => [
    Number(
      await env.DB.prepare("SELECT state_serial FROM instances WHERE id = ?")
        .bind(instanceId)
        .first("state_serial"),
    ),
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storedSerial((query) => storage.sql.exec(query).toArray()),
    ),
  ];
  const audited = async (id: string): Promise<number> =>
    Number(
      await env.DB.prepare(
        "SELECT count(*) AS n FROM audit_events WHERE resource_id = ? AND action = 'deployment.abandon'",
      )
        .bind(id)
        .first("n"),
    );
  const applying = async (instanceId: string): Promise<string> => {
    const id = await start(tenant, instanceId);
    await until("its create is in progress", async () => {
      const rows = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
        storage.sql.exec("SELECT 1 FROM journal WHERE entry LIKE '%\"pending\"%'").toArray(),
      );
      return rows.length > 0;
    });
    await untilState(tenant, id, (state) => state === "APPLYING");
    return id;
  };
  /** The runner has followed, and the next deployment of the instance does the rest. */
  const followed = async (place: { targetId: string; instanceId: string }, id: string) => {
    const { targetId, instanceId } = place;
    await closed(instanceId, id);
    await until("D1 has the serial", async () => new Set(await serials(instanceId)).size === 1);
    expect(await places(targetId)).toEqual([]);
    expect((await tenant.get(`/deployments/${id}`)).body).toMatchObject({ state: "FAILED", error });
    expect((await eventsOf(id)).filter((kind) => kind === "failed")).toHaveLength(1);
    expect((await eventsOf(id)).at(-1)).toBe("failed");
    expect(await audited(id)).toBe(1);
    await sweepDeployments(env, Date.now() + HOUR_MS);
    expect(await flag(id)).toBe(0);
    await setConfig(targetId, { readyAfterMs: null, latencyMs: null });
    await tenant.patch(`/instances/${instanceId}`, { approvalMode: "auto" });
    const isUnready = (await resources(instanceId)).includes("app UNREADY");
    const nextId = await start(tenant, instanceId);
    if (isUnready) {
      await until("it waits for what is being made", async () =>
        (await messagesOf(tenant, nextId)).some((line) =>
          line.includes("in progress at the provider"),
        ),
      );
      await letBecomeReady(targetId);
    }
    const next = await untilOver(tenant, nextId);
    expect(["SUCCEEDED", "NO_CHANGES"]).toContain(next.body.state);
    expect(living(await ledger(targetId))).toEqual(["buckets/later", "servers/app"]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("ACTIVE");
    expect((await tenant.get(`/deployments/${id}`)).body).toMatchObject({ state: "FAILED", error });
    expect(livenessProblems(instanceId)).toEqual([]);
  };

  it("ends a deployment that applies, keeps what is being made, and frees the slot", async () => {
    const place = await make({ readyAfterMs: HOUR_MS });
    const id = await applying(place.instanceId);
    const answer = await abandon(id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ state: "FAILED", error, actions: [] });
    expect((await tenant.get(`/instances/${place.instanceId}`)).body.state).toBe("FAILED");
    await closed(place.instanceId, id);
    expect(await resources(place.instanceId)).toEqual(["app UNREADY"]);
    expect((await messagesOf(tenant, id)).at(-1)).toBe(`Failed: ${message}`);
    await followed(place, id);
    expect(await eventsOf(id)).toEqual(["queued", "started", "planned", "applying", "failed"]);
  });

  it("ends one that waits for a slot, and takes it out of the queue", async () => {
    const place = await make();
    const holder = newId();
    const at = { deploymentId: holder, instanceId: newId(), capacity: 1 };
    await gateOf(place.targetId).acquire(at);
    const id = await start(tenant, place.instanceId);
    await until("it waits", async () => {
      return (await tenant.get(`/deployments/${id}`)).body.blockedBy?.position === 1;
    });
    expect((await abandon(id)).body).toMatchObject({ state: "FAILED", blockedBy: null });
    await closed(place.instanceId, id);
    await until("only the holder is left", async () => (await places(place.targetId)).length === 1);
    await gateOf(place.targetId).release(holder);
    await followed(place, id);
    expect(await eventsOf(id)).toEqual(["queued", "failed"]);
  });

  it("ends one that waits for approval: it cannot be approved any more", async () => {
    const place = await make({}, { approvalMode: "always" });
    const { body } = await run(tenant, place.instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    expect((await abandon(body.id)).body.state).toBe("FAILED");
    const approved = await operator.post(`/deployments/${body.id}/approve`);
    expect([approved.status, approved.body.code]).toEqual([409, "invalid_state"]);
    await followed(place, body.id);
  });

  it("ends one that was approved and waits for a slot", async () => {
    const place = await make({}, { approvalMode: "always" });
    const { body } = await run(tenant, place.instanceId, "deploy");
    const holder = newId();
    const at = { deploymentId: holder, instanceId: newId(), capacity: 1 };
    await gateOf(place.targetId).acquire(at);
    const scopes = ["deployments:approve", "deployments:write"];
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin", scopes);
    expect((await approver.post(`/deployments/${body.id}/approve`)).status).toBe(202);
    await until("it waits", async () => (await places(place.targetId)).length === 2);
    expect((await abandon(body.id)).body.state).toBe("FAILED");
    await closed(place.instanceId, body.id);
    await gateOf(place.targetId).release(holder);
    await followed(place, body.id);
  });

  it("says why in the log of one that waits for approval, whose runner reads it in D1", async () => {
    const { instanceId } = await make({}, { approvalMode: "always" });
    const { body } = await run(tenant, instanceId, "deploy");
    await abandonUnheard(instanceId, body.id);
    await runnerOf(instanceId).notify({
      deploymentId: body.id,
      tenantId: tenant.tenantId,
      instanceId,
    });
    await closed(instanceId, body.id);
    expect((await messagesOf(tenant, body.id)).at(-1)).toBe(`Failed: ${message}`);
  });

  it("says why in the log of one whose runner had not loaded it yet", async () => {
    const { instanceId } = await make();
    const hold = await holdBefore(instanceId, 1);
    const id = await start(tenant, instanceId);
    await hold.reached();
    await abandonUnheard(instanceId, id);
    hold.release();
    await closed(instanceId, id);
    expect((await messagesOf(tenant, id)).at(-1)).toBe(`Failed: ${message}`);
  });

  it("ends one that is planned, before any call", async () => {
    const place = await make();
    const hold = await holdBefore(place.instanceId, 3);
    const id = await start(tenant, place.instanceId);
    await hold.reached();
    expect((await abandon(id)).body.state).toBe("FAILED");
    hold.release();
    await closed(place.instanceId, id);
    expect(await ledger(place.targetId)).toEqual([]);
    await followed(place, id);
  });

  it("ends one that deletes: what may be deleted is read by the next deployment", async () => {
    const { targetId, instanceId } = await make({}, { approvalMode: "auto" });
    await untilOver(tenant, await start(tenant, instanceId));
    const faults = [
      { kind: "buckets", on: "delete", status: 500, effect: "after" },
      { kind: "buckets", on: "read", status: 500, times: 999 },
    ];
    await setConfig(targetId, { faults });
    const id = await start(tenant, instanceId, "destroy");
    await until("its delete is tried again", async () => {
      const rows = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
        storage.sql
          .exec("SELECT 1 FROM journal WHERE deployment_id = ? AND entry LIKE '%\"retry\"%'", id)
          .toArray(),
      );
      return rows.length > 0;
    });
    expect((await abandon(id)).body.state).toBe("FAILED");
    await closed(instanceId, id);
    expect((await resources(instanceId)).sort()).toEqual(["app READY", "later UNREADY"]);
    await setConfig(targetId, { faults: [] });
    const next = await untilOver(tenant, await start(tenant, instanceId));
    expect(next.body, next.text).toMatchObject({ state: "SUCCEEDED" });
    expect(living(await ledger(targetId))).toEqual(["buckets/later", "servers/app"]);
  });

  it("takes no protection off what is being made", async () => {
    const protects = source.replace("name: app }", "name: app }, options: { protect: true }");
    const { targetId } = await make({ readyAfterMs: HOUR_MS });
    const instanceId = await makeInstance(tenant, await makeTemplate(tenant, protects), targetId);
    const id = await applying(instanceId);
    expect((await abandon(id)).status).toBe(200);
    await closed(instanceId, id);
    const { body } = await run(tenant, instanceId, "destroy");
    expect([body.state, body.error?.code]).toEqual(["FAILED", "resource_protected"]);
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
  });

  it("ends one whose cancel does not end", async () => {
    const place = await make({ readyAfterMs: HOUR_MS });
    const id = await applying(place.instanceId);
    expect((await tenant.post(`/deployments/${id}/cancel`)).body.state).toBe("CANCELING");
    expect((await abandon(id)).body.state).toBe("FAILED");
    await followed(place, id);
  });

  it("ends one whose run cannot be read", async () => {
    const place = await make({ readyAfterMs: HOUR_MS });
    const id = await applying(place.instanceId);
    await runInDurableObject(runnerOf(place.instanceId), (_, { storage }) =>
      storage.sql.exec("UPDATE runs SET spec = '{not json' WHERE deployment_id = ?", id),
    );
    expect((await abandon(id)).body.state).toBe("FAILED");
    await closed(place.instanceId, id);
    expect(await resources(place.instanceId)).toEqual(["app UNREADY"]);
    await followed(place, id);
  });

  it("ends one that its runner has never heard of", async () => {
    const place = await make();
    const { body } = await run(tenant, place.instanceId, "plan");
    const id = newId();
    await env.DB.prepare(
      `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger", requested_by, inputs,
          timestamps, projected, version, created_at_ms, updated_at_ms)
        SELECT ?1, tenant_id, instance_id, target_id, 'deploy', 'APPLYING', 'manual', 'test', inputs, '{}', 4, 5, ?3, ?3
        FROM deployments WHERE id = ?2`,
    )
      .bind(id, body.id, Date.now())
      .run();
    expect((await abandon(id)).body.state).toBe("FAILED");
    await followed(place, id);
  });

  it("is followed by the sweep if its notification was lost, and nothing revives the deployment meanwhile", async () => {
    const place = await make({ latencyMs: 400 });
    const id = await start(tenant, place.instanceId);
    await until("a call is in progress", async () => (await ledger(place.targetId)).length === 1);
    await abandonUnheard(place.instanceId, id);
    // The runner goes on to its end, which D1 refuses.
    await closed(place.instanceId, id);
    await until("D1 has all of it", async () => (await unwritten(place.instanceId)) === 0);
    expect((await messagesOf(tenant, id)).slice(-2)).toEqual(["Succeeded.", `Failed: ${message}`]);
    expect(await flag(id)).toBe(1);
    await followed(place, id);
  });

  it("stands if the run fails before its runner hears of it: one event, with the operator's reason", async () => {
    const place = await make({
      latencyMs: 400,
      faults: [{ kind: "servers", on: "create", status: 422 }],
    });
    const id = await start(tenant, place.instanceId);
    await until("it applies", async () => (await phaseOf(place.instanceId, id)) === "applying");
    await abandonUnheard(place.instanceId, id);
    await closed(place.instanceId, id);
    await until("D1 has all of it", async () => (await unwritten(place.instanceId)) === 0);
    expect((await tenant.get(`/deployments/${id}`)).body).toMatchObject({ state: "FAILED", error });
    expect((await eventsOf(id)).filter((type) => type === "failed")).toHaveLength(1);
  });

  it("is noticed by the next projection if its notification was lost: the instance is not left in between", async () => {
    const place = await make();
    const hold = await holdBefore(place.instanceId, 3);
    const id = await start(tenant, place.instanceId);
    await hold.reached();
    await abandonUnheard(place.instanceId, id);
    hold.release();
    await closed(place.instanceId, id);
    expect(await ledger(place.targetId)).toEqual([]);
    await until("D1 knows the instance's state", async () => {
      const { body } = await tenant.get(`/instances/${place.instanceId}`);
      return body.state === "INITIALIZED";
    });
    await followed(place, id);
  });

  it("is written again if D1 was restored before the runner followed", async () => {
    const { targetId, instanceId } = await make();
    const holder = { deploymentId: newId(), instanceId: newId(), capacity: 1 };
    expect(await gateOf(targetId).acquire(holder)).toMatchObject({ granted: true });
    const id = await start(tenant, instanceId);
    await until("it waits for a slot", async () => (await phaseOf(instanceId, id)) === "gate");
    // D1 shows it as queued again.
    const run = { deploymentId: id, tenantId: tenant.tenantId, instanceId };
    await runnerOf(instanceId).abandon({ ...run, message });
    await closed(instanceId, id);
    await untilState(tenant, id, (state) => state === "FAILED");
    expect((await tenant.get(`/deployments/${id}`)).body.error).toEqual(error);
    expect(await eventsOf(id)).toEqual(["queued", "failed"]);
  });

  it("is not over for the sweep until D1 has all of its run", async () => {
    const { instanceId } = await make();
    const id = await start(tenant, instanceId);
    await closed(instanceId, id);
    await until("D1 has all of it", async () => (await unwritten(instanceId)) === 0);
    const run = { deploymentId: id, tenantId: tenant.tenantId, instanceId };
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storage.sql.exec("UPDATE snapshots SET acked = number - 1"),
    );
    await evictDurableObject(runnerOf(instanceId));
    expect(await runnerOf(instanceId).abandon({ ...run, message })).toBe(false);
    await until("D1 has all of it again", async () => (await unwritten(instanceId)) === 0);
    expect(await runnerOf(instanceId).abandon({ ...run, message })).toBe(true);
  });

  it("is not told again by reconciliations, whatever the run has come to", async () => {
    const place = await make({ latencyMs: 400 });
    const id = await start(tenant, place.instanceId);
    await until("it applies", async () => (await phaseOf(place.instanceId, id)) === "applying");
    expect((await tenant.post(`/deployments/${id}/cancel`)).status).toBe(202);
    await abandonUnheard(place.instanceId, id);
    await closed(place.instanceId, id);
    await until("D1 has all of it", async () => (await unwritten(place.instanceId)) === 0);
    const told = await eventsOf(id);
    expect(told.filter((type) => ["failed", "canceled"].includes(type))).toEqual(["failed"]);
    const lines = await messagesOf(tenant, id);
    expect(lines.at(-1)).toBe(`Failed: ${message}`);
    for (let nth = 0; nth < 3; nth += 1) await runnerOf(place.instanceId).reconcile();
    const ref = { deploymentId: id, tenantId: tenant.tenantId, instanceId: place.instanceId };
    for (let nth = 0; nth < 3; nth += 1) {
      expect(await runnerOf(place.instanceId).abandon({ ...ref, message })).toBe(true);
      await until("its runner has compared it", async () => {
        const alarm = await runInDurableObject(runnerOf(place.instanceId), (_, { storage }) =>
          storage.getAlarm(),
        );
        return (alarm ?? Infinity) > Date.now() + HOUR_MS;
      });
    }
    expect(await messagesOf(tenant, id)).toEqual(lines);
    expect(await eventsOf(id)).toEqual(told);
    expect((await tenant.get(`/deployments/${id}`)).body).toMatchObject({ state: "FAILED", error });
  });

  it("keeps the times that D1 shows: those of its events", async () => {
    const { targetId, instanceId } = await make({}, { approvalMode: "auto" });
    // The commits of a run: loaded, then started.
    const hold = await holdBefore(instanceId, 2);
    const id = await start(tenant, instanceId);
    await hold.reached();
    expect((await abandon(id)).body).toMatchObject({ state: "FAILED", error });
    hold.release();
    await closed(instanceId, id);
    await until("D1 has all of it", async () => (await unwritten(instanceId)) === 0);
    const row = await env.DB.prepare("SELECT timestamps FROM deployments WHERE id = ?")
      .bind(id)
      .first<string>("timestamps");
    expect(Object.keys(JSON.parse(row ?? ""))).toEqual(["QUEUED", "FAILED"]);
    expect(await eventsOf(id)).toEqual(["queued", "failed"]);
    expect(await ledger(targetId)).toEqual([]);
  });

  it("is followed by the sweep although the runner's alarm was lost too", async () => {
    const place = await make({ readyAfterMs: HOUR_MS });
    const id = await applying(place.instanceId);
    await abandonUnheard(place.instanceId, id);
    await runInDurableObject(runnerOf(place.instanceId), (_, { storage }) => storage.deleteAlarm());
    await sweepDeployments(env, Date.now() + 60 * 60_000);
    await closed(place.instanceId, id);
    expect(await resources(place.instanceId)).toEqual(["app UNREADY"]);
    await followed(place, id);
  });

  /** The notification does not reach the runner. */
  const abandonUnheard = async (instanceId: string, id: string): Promise<void> => {
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      runner.abandon = () => Promise.reject(new Error("a notification that is lost, as planned"));
    });
    expect((await abandon(id)).body.state).toBe("FAILED");
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      Reflect.deleteProperty(runner, "abandon");
    });
  };

  it("wins against the end of the run that comes later: the deployment does not succeed afterwards", async () => {
    const place = await make();
    const hold = await heldAtItsEnd(place.instanceId);
    const id = await start(tenant, place.instanceId);
    await hold.reached();
    expect((await abandon(id)).body.state).toBe("FAILED");
    hold.release();
    await closed(place.instanceId, id);
    expect((await resources(place.instanceId)).sort()).toEqual(["app READY", "later READY"]);
    await followed(place, id);
    expect(await eventsOf(id)).not.toContain("succeeded");
  });

  /** The sixth commit and those after it: load, start, plan, and two steps of an intent and an outcome each. */
  const heldAtItsEnd = (instanceId: string) => holdBefore(instanceId, 8);

  it("loses against an end that came first", async () => {
    const { instanceId } = await make();
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("SUCCEEDED");
    const late = await abandon(body.id);
    expect([late.status, late.body.code]).toEqual([409, "invalid_state"]);
    expect(late.body.detail).toContain("SUCCEEDED");
    expect(await audited(body.id)).toBe(0);
  });

  it("repeated, one after the other or at the same time, changes nothing more", async () => {
    const place = await make({ readyAfterMs: HOUR_MS });
    const id = await applying(place.instanceId);
    const both = await together(
      id,
      () => abandon(id),
      () => abandon(id),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const again = await operator.post(`/deployments/${id}/abandon`, { reason: "Another one." });
    expect([again.status, again.body.error]).toEqual([200, error]);
    await followed(place, id);
  });

  it("is nothing for a tenant, not even for its owner", async () => {
    const { instanceId } = await make({}, { approvalMode: "always" });
    const { body } = await run(tenant, instanceId, "deploy");
    const owner = await makeMember(tenant.tenantId, "CustomerOwner");
    for (const by of [tenant, owner]) {
      const refused = await abandon(body.id, by);
      expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
      expect((await by.get(`/deployments/${body.id}`)).body.actions).not.toContain("abandon");
    }
    expect((await tenant.get(`/deployments/${body.id}`)).body.state).toBe("AWAITING_APPROVAL");
  });
});
