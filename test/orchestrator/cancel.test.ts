/** A cancel in any phase of a run. Calls in flight finish, no further call is made, and no object is forgotten. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { newId } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { type Answer, makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { letBecomeReady } from "#test/support/let-become-ready.ts";
import { placedAt } from "#test/support/places.ts";
import {
  eventsOf,
  holdBefore,
  messagesOf,
  runnerOf,
  start,
  until,
  watchCommits,
} from "#test/support/runner.ts";

const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
const source = `name: cancel
runtime: yaml
resources:
${names.map((name) => `  ${name}: { type: mock:Bucket, properties: { name: ${name} } }\n`).join("")}`;
const one = `name: one
runtime: yaml
config:
  image: { type: string, default: v1 }
resources:
  app: { type: mock:Server, properties: { name: app, image: "\${image}" } }
`;
const chain = `${one}  later: { type: mock:Bucket, properties: { name: later, app: "\${app.id}" } }
`;
/** The first commits of a run: loaded, started, planned. The steps follow. */
const PLANNED = 3;

describe("a cancel", () => {
  let tenant: TestTenant;
  let templateId: string;
  let oneId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
    oneId = await makeTemplate(tenant, one);
  });

  const make = async (template: string, config: JsonMap = {}, more: JsonMap = {}) => {
    const targetId = await makeTarget(tenant, config);
    return {
      targetId,
      instanceId: await makeInstance(tenant, template, targetId, more),
    };
  };
  const cancel = (deploymentId: string): Promise<Answer> =>
    tenant.post(`/deployments/${deploymentId}/cancel`);
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources()).map(({ name, state }) => `${name} ${state}`);
  const read = async (deploymentId: string): Promise<Answer["body"]> =>
    (await tenant.get(`/deployments/${deploymentId}`)).body;

  it("while applying lets six calls finish and starts no other; the next deploy does the rest", async () => {
    const { targetId, instanceId } = await make(templateId, { latencyMs: 300 });
    const deploymentId = await start(tenant, instanceId);
    await until("six calls are in progress", async () => (await ledger(targetId)).length === 6);
    const canceled = await cancel(deploymentId);
    expect(canceled.status, canceled.text).toBe(202);
    expect(canceled.body).toMatchObject({
      state: "CANCELING",
      actions: ["cancel"],
    });
    const again = await cancel(deploymentId);
    expect([again.status, again.body.state]).toEqual([202, "CANCELING"]);

    const over = await untilOver(tenant, deploymentId);
    expect(over.body).toMatchObject({
      state: "CANCELED",
      error: null,
      actions: [],
    });
    expect(await ledger(targetId)).toHaveLength(6);
    expect(await resources(instanceId)).toHaveLength(6);
    expect(await eventsOf(deploymentId)).toEqual([
      "queued",
      "started",
      "planned",
      "applying",
      "canceling",
      "canceled",
    ]);
    const late = await cancel(deploymentId);
    expect([late.status, late.body.code]).toEqual([409, "invalid_state"]);

    const next = await run(tenant, instanceId, "deploy");
    expect(next.body).toMatchObject({
      state: "SUCCEEDED",
      summary: { create: 2, unchanged: 6 },
    });
    expect(living(await ledger(targetId))).toEqual(names.map((name) => `buckets/${name}`));
  });

  it("while planning ends the run before any call", async () => {
    const { targetId, instanceId } = await make(templateId);
    const hold = await holdBefore(instanceId, PLANNED);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    expect((await read(deploymentId)).state).toBe("PLANNING");
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    hold.release();
    const over = await untilOver(tenant, deploymentId);
    expect(over.body.state).toBe("CANCELED");
    expect(Object.keys(over.body.timestamps).sort()).toEqual([
      "CANCELED",
      "CANCELING",
      "PLANNING",
      "QUEUED",
    ]);
    expect(await ledger(targetId)).toEqual([]);
    expect(await eventsOf(deploymentId)).toEqual([
      "queued",
      "started",
      "canceling",
      "planned",
      "canceled",
    ]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("INITIALIZED");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
  });

  it("just before the plan waits for approval still ends the run", async () => {
    const { instanceId } = await make(templateId, {}, { approvalMode: "always" });
    const hold = await holdBefore(instanceId, PLANNED);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    hold.release();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await eventsOf(deploymentId)).toEqual([
      "queued",
      "started",
      "canceling",
      "planned",
      "canceled",
    ]);
  });

  it("just before the run succeeds lets it succeed", async () => {
    const { instanceId } = await make(oneId);
    // After the plan: the intent, its outcome, the end.
    const hold = await holdBefore(instanceId, PLANNED + 3);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    hold.release();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("SUCCEEDED");
    expect((await eventsOf(deploymentId)).slice(-2)).toEqual(["canceling", "succeeded"]);
  });

  it("between what a step reads and its call makes no call", async () => {
    const { targetId, instanceId } = await make(oneId);
    // After the plan: the account is known, then the intent.
    const hold = await holdBefore(instanceId, PLANNED + 1);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    hold.release();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await ledger(targetId)).toEqual([]);
    expect(await resources(instanceId)).toEqual([]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("INITIALIZED");
  });

  it("whose notification was lost is read from D1 with the next projection", async () => {
    const { targetId, instanceId } = await make(oneId);
    const hold = await holdBefore(instanceId, PLANNED);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    await env.DB.prepare(
      "UPDATE deployments SET state = 'CANCELING', version = version + 1 WHERE id = ?",
    )
      .bind(deploymentId)
      .run();
    hold.release();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await ledger(targetId)).toEqual([]);
  });

  it("whose notification was lost is repeated by the sweep", async () => {
    const { targetId, instanceId } = await make(await makeTemplate(tenant, chain), {
      readyAfterMs: 3_600_000,
    });
    const deploymentId = await start(tenant, instanceId);
    await until("it applies", async () => (await read(deploymentId)).state === "APPLYING");
    await env.DB.prepare(
      "UPDATE deployments SET state = 'CANCELING', version = version + 1 WHERE id = ?",
    )
      .bind(deploymentId)
      .run();
    await sweepDeployments(env, Date.now() + 3_600_000);
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    // The run no longer polls, and does not start the next step.
    expect(await resources(instanceId)).toEqual(["app UNREADY"]);
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
  });

  it.for([false, true])(
    "between two attempts keeps a possible object, also if the runner dies then: %s",
    async (crash) => {
      const { targetId, instanceId } = await make(oneId, {
        faults: [{ kind: "servers", on: "create", status: 0, effect: "after" }],
      });
      // The account, the intent and the retry, then the entry `stopped`.
      const seen = await watchCommits(
        instanceId,
        crash ? { when: "after", commit: PLANNED + 4 } : undefined,
      );
      const deploymentId = await start(tenant, instanceId);
      await until("the first attempt failed", () => seen.commits === PLANNED + 3);
      expect((await cancel(deploymentId)).status).toBe(202);
      if (crash) {
        await until("the runner crashes", () => seen.crashed);
        await runnerOf(instanceId).wake();
      }
      const over = await untilOver(tenant, deploymentId);
      expect(over.body).toMatchObject({ state: "CANCELED", error: null });
      expect(await resources(instanceId)).toEqual(["app LOST"]);
      const stopped = (await messagesOf(tenant, deploymentId)).filter((m) =>
        m.startsWith("Stopped"),
      );
      expect(stopped).toEqual([
        "Stopped before app was finished: the deployment was canceled. Its object may exist and is kept as LOST: the next deployment or destroy looks for it.",
      ]);
      expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
      expect(living(await ledger(targetId))).toEqual(["servers/app"]);
    },
  );

  it("between the read of an object that is gone and its new create stops there", async () => {
    const { targetId, instanceId } = await make(oneId, { longestRequestMs: 10 });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const [app] = await ledger(targetId);
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    await cloud.fetch(`https://mock.cloud.invalid/v1/servers/${app?.id}`, { method: "DELETE" });
    await untilOver(tenant, await start(tenant, instanceId, "check-drift"));
    // After the plan: the intent of the read, its outcome, then the outcome of the next one.
    const hold = await holdBefore(instanceId, PLANNED + 3);
    const deploymentId = await start(tenant, instanceId);
    await hold.reached();
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    hold.release();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await messagesOf(tenant, deploymentId)).toContain(
      "app no longer exists at the provider: creating it again.",
    );
    expect(living(await ledger(targetId))).toEqual([]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
  });

  it("between the look-up of a lost object and its delete stops there", async () => {
    const brief = one.replace("} }\n", "}, options: { customTimeouts: { create: 1s } } }\n");
    const { targetId, instanceId } = await make(await makeTemplate(tenant, brief), {
      faults: [{ kind: "servers", on: "create", status: 0, effect: "after", times: 2 }],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    expect(await resources(instanceId)).toEqual(["app LOST"]);
    // After the plan: the intent of the look-up, the attempt, then its outcome.
    const hold = await holdBefore(instanceId, PLANNED + 3);
    const deploymentId = await start(tenant, instanceId, "destroy");
    await hold.reached();
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    hold.release();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await messagesOf(tenant, deploymentId)).toContain("Found the lost object of app.");
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
    expect(await resources(instanceId)).toEqual(["app LOST"]);
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
  });

  it("between two look-ups for the object of a create stops there, and the object stays lost", async () => {
    const { targetId, instanceId } = await make(oneId, {
      tokens: "none",
      faults: [{ kind: "servers", on: "create", status: 0, lateMs: 1_500 }],
    });
    const deploymentId = await start(tenant, instanceId);
    await until("it has looked", async () =>
      (await messagesOf(tenant, deploymentId)).some((line) => line.startsWith("Looking for an")),
    );
    expect((await cancel(deploymentId)).body.state).toBe("CANCELING");
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await resources(instanceId)).toEqual(["app LOST"]);
    await until("the create has taken effect", async () => (await ledger(targetId)).length === 1);
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
  });

  it("of a deployment that waits for its instance takes effect at once", async () => {
    const { targetId, instanceId } = await make(oneId, { readyAfterMs: 500 });
    const first = await start(tenant, instanceId);
    const second = await start(tenant, instanceId);
    expect((await read(second)).blockedBy).toEqual({
      kind: "instance_busy",
      id: first,
      position: 1,
    });
    expect((await cancel(second)).body.state).toBe("CANCELED");
    expect((await cancel(second)).body.code).toBe("invalid_state");
    expect((await untilOver(tenant, first)).body.state).toBe("SUCCEEDED");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
    expect(await eventsOf(second)).toEqual(["queued", "canceled"]);
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
  });

  it("of a deployment that waits for its target frees its place in the queue", async () => {
    const targetId = await makeTarget(
      tenant,
      { readyAfterMs: 3_600_000 },
      { maxConcurrentDeployments: 1 },
    );
    const deploy = async (): Promise<string> =>
      start(tenant, await makeInstance(tenant, oneId, targetId));
    const first = await deploy();
    await until("the first has the slot", async () => (await read(first)).state === "APPLYING");
    const second = await deploy();
    const positionOf = async (id: string): Promise<number | undefined> =>
      (await read(id)).blockedBy?.position;
    await until("the second waits", async () => (await positionOf(second)) === 1);
    const third = await deploy();
    await until("the third waits", async () => (await positionOf(third)) === 2);
    expect((await cancel(second)).body).toMatchObject({
      state: "CANCELED",
      blockedBy: null,
    });
    expect((await read(third)).blockedBy).toEqual({
      kind: "target_capacity",
      id: targetId,
      position: 1,
    });
    await letBecomeReady(targetId);
    expect((await untilOver(tenant, first)).body.state).toBe("SUCCEEDED");
    await until("the third creates", async () => (await ledger(targetId)).length === 2);
    await letBecomeReady(targetId);
    expect((await untilOver(tenant, third)).body.state).toBe("SUCCEEDED");
    expect(await eventsOf(second)).toEqual(["queued", "canceled"]);
    expect(living(await ledger(targetId))).toHaveLength(2);
  });

  it.for(["waiting", "gate"])(
    "reaches a run in %s whose notification and alarm were lost, however late the sweep comes",
    async (phase) => {
      const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
      const instanceId = await makeInstance(tenant, oneId, targetId);
      const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
      const holder = { deploymentId: newId(), instanceId: newId(), capacity: 1, now: Date.now() };
      await gate.acquire(holder);
      const id = await start(tenant, instanceId);
      await until("it waits", async () => (await read(id)).blockedBy?.position === 1);
      await runInDurableObject(runnerOf(instanceId), async (runner, { storage }) => {
        if (phase === "waiting")
          storage.sql.exec(
            "UPDATE runs SET phase = 'waiting', spec = NULL, ticket = NULL WHERE deployment_id = ?",
            id,
          );
        runner.cancel = () => Promise.reject(new Error("a notification that is lost, as planned"));
        await storage.deleteAlarm();
      });
      expect((await cancel(id)).body.state).toBe("CANCELED");
      await evictDurableObject(runnerOf(instanceId));
      await sweepDeployments(env, Date.now() + 24 * 3_600_000);
      await until("its runner has closed the run", async () => {
        const [run] = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
          storage.sql.exec("SELECT phase FROM runs WHERE deployment_id = ?", id).toArray(),
        );
        return run?.["phase"] === "closed";
      });
      const places = await runInDurableObject(gate, (_, { storage }) => placedAt(storage));
      if (phase === "gate") expect(places).toEqual([{ id: holder.deploymentId }]);
      const flagged = async () =>
        env.DB.prepare("SELECT awaits_runner FROM deployments WHERE id = ?")
          .bind(id)
          .first("awaits_runner");
      expect(await flagged()).toBe(1);
      const { version } = (await env.DB.prepare("SELECT version FROM deployments WHERE id = ?")
        .bind(id)
        .first()) as { version: number };
      await sweepDeployments(env, Date.now() + 25 * 3_600_000);
      expect(await flagged()).toBe(0);
      expect(
        await env.DB.prepare("SELECT version FROM deployments WHERE id = ?")
          .bind(id)
          .first("version"),
      ).toBe(version);
      expect(await eventsOf(id)).toEqual(["queued", "canceled"]);
    },
  );

  it("is not needed for a protected instance: none of its resources is deleted or replaced", async () => {
    const { targetId, instanceId } = await make(oneId, {}, { protectedFromDestroy: true });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const destroy = await tenant.post(`/instances/${instanceId}/destroy`);
    expect([destroy.status, destroy.body.code]).toEqual([409, "resource_protected"]);
    await tenant.patch(`/instances/${instanceId}`, {
      variables: { image: "v2" },
    });
    const refused = await run(tenant, instanceId, "deploy");
    expect(refused.body).toMatchObject({
      state: "FAILED",
      error: { code: "resource_protected" },
      summary: { replace: 1 },
    });
    expect(await ledger(targetId)).toHaveLength(1);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("ACTIVE");
  });
});
