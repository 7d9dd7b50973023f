/** Drift: changes at the provider are found, reported, shown, and reverted by the next deploy. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
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
} from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import {
  eventsOf,
  holdBefore,
  messagesOf,
  runnerOf,
  start,
  until,
  watchCommits,
} from "#test/support/runner.ts";
import { sweep } from "#test/support/triggers.ts";

const source = `name: drift
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
  app: { type: mock:Server, properties: { name: app, image: v1, size: 1, network: "\${net.id}" } }
  logs: { type: mock:Bucket, properties: { name: logs, tier: hot }, options: { ignoreChanges: [tier] } }
outputs:
  size: \${app.size}
`;
const alone = `name: alone
runtime: yaml
config:
  size: { type: integer, default: 1 }
resources:
  app: { type: mock:Server, properties: { name: app, size: "\${size}" } }
`;
const tagged = `name: tagged
runtime: yaml
config:
  tag: { type: string, default: x }
resources:
  app: { type: mock:Service, properties: { name: app, size: s, settings: { tier: a, tag: "\${tag}" } } }
`;

describe("a drift check", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
    const lifted = { limits: { targets: null, instances: null } };
    expect((await operator.patch(`/tenants/${tenant.tenantId}`, lifted)).status).toBe(200);
  });

  const deployed = async (config: JsonMap = {}, template = templateId) => {
    const targetId = await makeTarget(tenant, config);
    const instanceId = await makeInstance(tenant, template, targetId);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    return { targetId, instanceId };
  };
  const idOf = async (instanceId: string, name: string): Promise<string> =>
    (await runnerOf(instanceId).listResources()).find((one) => one.name === name)?.id ?? "";
  const atProvider = async (targetId: string, method: string, path: string, body?: JsonMap) => {
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const response = await cloud.fetch(`https://mock.cloud.invalid/v1/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    expect(response.ok, await response.text()).toBe(true);
  };
  const check = async (instanceId: string): Promise<Answer> => {
    const asked = await tenant.post(`/instances/${instanceId}/check-drift`);
    expect(asked.status, asked.text).toBe(202);
    expect(asked.body).toMatchObject({ operation: "drift_check", state: "QUEUED" });
    return untilOver(tenant, asked.body.id);
  };
  const driftOf = async (instanceId: string): Promise<string> =>
    (await tenant.get(`/instances/${instanceId}`)).body.drift;
  const planOf = async (deploymentId: string) =>
    (await tenant.get(`/deployments/${deploymentId}/plan`)).body.changes
      .filter(({ action }: { action: string }) => action !== "unchanged")
      .toSorted((a: { resource: string }, b: { resource: string }) =>
        a.resource.localeCompare(b.resource),
      );
  const driftEvents = async (instanceId: string): Promise<string[]> =>
    (await eventsOf(instanceId)).filter((type) => type.startsWith("instance.drift"));

  it("of an unchanged instance finds nothing and changes nothing", async () => {
    const { targetId, instanceId } = await deployed();
    const before = await ledger(targetId);
    const over = await check(instanceId);
    expect(over.body).toMatchObject({
      state: "NO_CHANGES",
      error: null,
      summary: { unchanged: 3, update: 0, create: 0 },
    });
    expect(await driftOf(instanceId)).toBe("IN_SYNC");
    expect(await driftEvents(instanceId)).toEqual([]);
    expect(await eventsOf(over.body.id)).toEqual(["queued", "started", "no_changes"]);
    expect(await ledger(targetId)).toEqual(before);
    expect(await messagesOf(tenant, over.body.id)).toContain(
      "Reading 3 resources at the provider.",
    );
  });

  it("finds changed and deleted objects, and a deploy restores both", async () => {
    const { targetId, instanceId } = await deployed();
    const [appId, logsId, netId] = await Promise.all(
      ["app", "logs", "net"].map((name) => idOf(instanceId, name)),
    );
    await atProvider(targetId, "PATCH", `servers/${appId}`, { size: 9 });
    await atProvider(targetId, "DELETE", `buckets/${logsId}`);

    const found = await check(instanceId);
    expect(found.body).toMatchObject({
      state: "SUCCEEDED",
      summary: { unchanged: 1, update: 1, create: 1 },
    });
    expect(await planOf(found.body.id)).toEqual([
      {
        resource: "app",
        type: "mock:Server",
        action: "update",
        tentative: false,
        id: appId,
        changes: [{ path: "size", before: 9, after: 1, replaces: false }],
        reason: "changed at the provider",
      },
      {
        resource: "logs",
        type: "mock:Bucket",
        action: "create",
        tentative: false,
        id: logsId,
        changes: [],
        reason: "missing at the provider",
      },
    ]);
    expect(await driftOf(instanceId)).toBe("DRIFTED");
    expect(await driftEvents(instanceId)).toEqual(["instance.drift_detected"]);

    const again = await check(instanceId);
    expect(again.body.state).toBe("SUCCEEDED");
    expect(await driftEvents(instanceId)).toEqual(["instance.drift_detected"]);

    const mended = await run(tenant, instanceId, "deploy");
    expect(mended.body).toMatchObject({
      state: "SUCCEEDED",
      summary: { create: 1, update: 1, unchanged: 1, delete: 0, replace: 0 },
    });
    expect(await driftOf(instanceId)).toBe("IN_SYNC");
    expect(await driftEvents(instanceId)).toEqual([
      "instance.drift_detected",
      "instance.drift_resolved",
    ]);
    expect(living(await ledger(targetId))).toEqual(["buckets/logs", "networks/net", "servers/app"]);
    expect([await idOf(instanceId, "app"), await idOf(instanceId, "net")]).toEqual([appId, netId]);
    expect((await check(instanceId)).body.state).toBe("NO_CHANGES");
  });

  it("that finds no difference any more ends the drift", async () => {
    const { targetId, instanceId } = await deployed();
    const appId = await idOf(instanceId, "app");
    await atProvider(targetId, "PATCH", `servers/${appId}`, { size: 9 });
    await check(instanceId);
    await atProvider(targetId, "PATCH", `servers/${appId}`, { size: 1 });
    expect((await check(instanceId)).body.state).toBe("NO_CHANGES");
    expect(await driftEvents(instanceId)).toEqual([
      "instance.drift_detected",
      "instance.drift_resolved",
    ]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("finds nothing once the template wants what somebody changed", async () => {
    const { targetId, instanceId } = await deployed({}, await makeTemplate(tenant, alone));
    await atProvider(targetId, "PATCH", `servers/${await idOf(instanceId, "app")}`, { size: 9 });
    await check(instanceId);
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: 9 } });
    const before = await ledger(targetId);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
    expect(await driftOf(instanceId)).toBe("IN_SYNC");
    expect((await check(instanceId)).body.state).toBe("NO_CHANGES");
    expect(await ledger(targetId)).toEqual(before);
    expect(await driftEvents(instanceId)).toEqual([
      "instance.drift_detected",
      "instance.drift_resolved",
    ]);
  });

  it("finds what an update of something else has not put right", async () => {
    const { targetId, instanceId } = await deployed({}, await makeTemplate(tenant, tagged));
    const app = `services/${await idOf(instanceId, "app")}`;
    await atProvider(targetId, "POST", `${app}/resize`, { size: "xl" });
    await tenant.patch(`/instances/${instanceId}`, { variables: { tag: "y" } });
    const updated = await run(tenant, instanceId, "deploy");
    expect(updated.body).toMatchObject({ state: "SUCCEEDED", summary: { update: 1 } });
    expect(await driftOf(instanceId)).toBe("DRIFTED");
    expect(await driftEvents(instanceId)).toEqual(["instance.drift_detected"]);

    const found = await planOf((await check(instanceId)).body.id);
    expect(found).toMatchObject([{ changes: [{ path: "size", before: "xl", after: "s" }] }]);
    expect((await run(tenant, instanceId, "deploy")).body.summary.update).toBe(1);
    expect((await check(instanceId)).body.state).toBe("NO_CHANGES");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("goes on finding what cannot be changed back, and no update waits for it", async () => {
    const { targetId, instanceId } = await deployed({}, await makeTemplate(tenant, tagged));
    const id = await idOf(instanceId, "app");
    await runInDurableObject(
      env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId)),
      (_, { storage }) => {
        const change = `UPDATE objects SET properties = json_set(properties, '$.settings.tier', 'b') WHERE id = ?`;
        storage.sql.exec(change, id);
      },
    );
    const found = async () => {
      const { body } = await check(instanceId);
      return (await tenant.get(`/deployments/${body.id}/plan`)).body.changes;
    };
    const tier = [{ changes: [{ path: "settings.tier", before: "b", after: "a" }] }];
    expect(await found()).toMatchObject(tier);
    for (const tag of ["y", "z"]) {
      await tenant.patch(`/instances/${instanceId}`, { variables: { tag } });
      const updated = await run(tenant, instanceId, "deploy");
      expect(updated.body).toMatchObject({ state: "SUCCEEDED", summary: { update: 1 } });
      const messages = await messagesOf(tenant, updated.body.id);
      expect(messages.join()).not.toContain("still shows the earlier value");
      expect(await found()).toMatchObject(tier);
    }
  });

  it("skips what the template ignores", async () => {
    const { targetId, instanceId } = await deployed();
    await atProvider(targetId, "PATCH", `buckets/${await idOf(instanceId, "logs")}`, {
      tier: "cold",
    });
    expect((await check(instanceId)).body.state).toBe("NO_CHANGES");
  });

  it("does not recreate an object that came back unchanged", async () => {
    const { targetId, instanceId } = await deployed({
      faults: [{ kind: "buckets", on: "read", times: 1, status: 404 }],
    });
    const found = await check(instanceId);
    expect(found.body.summary).toMatchObject({ create: 1 });
    const mended = await run(tenant, instanceId, "deploy");
    expect(mended.body.state).toBe("SUCCEEDED");
    expect((await ledger(targetId)).filter(({ verb }) => verb === "create")).toHaveLength(3);
    expect(await driftOf(instanceId)).toBe("IN_SYNC");
  });

  it("that cannot read a resource fails, and the drift stays unknown", async () => {
    const { instanceId } = await deployed({
      faults: [{ kind: "servers", on: "read", times: 99, status: 403 }],
    });
    const over = await check(instanceId);
    expect(over.body).toMatchObject({ state: "FAILED", error: { resource: "app" } });
    expect(await driftOf(instanceId)).toBe("UNKNOWN");
  });

  it("gives way to a deployment that is requested meanwhile", async () => {
    const { instanceId } = await deployed();
    const hold = await holdBefore(instanceId, 3);
    const checkId = await start(tenant, instanceId, "check-drift");
    await hold.reached();
    const deployId = await start(tenant, instanceId, "deploy");
    await runnerOf(instanceId).notify({
      deploymentId: deployId,
      tenantId: tenant.tenantId,
      instanceId,
    });
    hold.release();
    expect((await untilOver(tenant, checkId)).body.state).toBe("CANCELED");
    expect((await untilOver(tenant, deployId)).body.state).toBe("NO_CHANGES");
    expect(await driftOf(instanceId)).toBe("IN_SYNC");
    expect(await eventsOf(checkId)).toEqual(["queued", "started", "canceled"]);
  });

  it("has the same result wherever its runner crashes", async () => {
    const { targetId, instanceId } = await deployed({}, await makeTemplate(tenant, alone));
    await atProvider(targetId, "PATCH", `servers/${await idOf(instanceId, "app")}`, { size: 9 });
    const seen = await watchCommits(instanceId);
    await check(instanceId);
    const { commits } = seen;
    expect(commits).toBeGreaterThanOrEqual(6);
    const crashes = Array.from({ length: commits }, (_, at) => [
      { when: "before" as const, commit: at + 1 },
      { when: "after" as const, commit: at + 1 },
    ]).flat();
    for (const plan of partOf(crashes, 9)) {
      const crash = await watchCommits(instanceId, plan);
      const checkId = await start(tenant, instanceId, "check-drift");
      await until(`it crashes ${plan.when} ${plan.commit}`, () => crash.crashed);
      await runnerOf(instanceId).wake();
      const over = await untilOver(tenant, checkId);
      expect(over.body, `${plan.when} ${plan.commit}`).toMatchObject({
        state: "SUCCEEDED",
        summary: { update: 1 },
      });
      expect(await eventsOf(checkId)).toEqual(["queued", "started", "succeeded"]);
    }
    expect(await driftEvents(instanceId)).toEqual(["instance.drift_detected"]);
  });

  it("is started by a trigger at its times, and a deploy reverts the drift if `remediate` is on", async () => {
    const { targetId, instanceId } = await deployed();
    const made = await tenant.post(`/instances/${instanceId}/triggers`, {
      kind: "drift",
      condition: { cron: "0 3 * * *", remediate: true },
    });
    expect(made.status, made.text).toBe(201);
    const of = async (): Promise<Answer["body"]> =>
      (await tenant.get(`/instances/${instanceId}/triggers/${made.body.id}`)).body;
    const atMs = Date.parse(made.body.nextFireAt);
    const started = async (nowMs: number): Promise<Answer["body"]> => {
      await sweep(tenant, nowMs);
      const { lastDeploymentId, lastFiredAt } = await of();
      expect(Date.parse(lastFiredAt)).toBe(nowMs);
      return (await untilOver(tenant, lastDeploymentId)).body;
    };
    await atProvider(targetId, "PATCH", `servers/${await idOf(instanceId, "app")}`, { size: 9 });

    await sweep(tenant, atMs - 1);
    expect((await of()).lastFiredAt).toBeNull();
    const found = await started(atMs);
    expect(found).toMatchObject({ operation: "drift_check", trigger: "drift", state: "SUCCEEDED" });
    expect(Date.parse((await of()).nextFireAt)).toBe(atMs + 24 * 3_600_000);

    const mended = await started(atMs + 60_000);
    expect(mended).toMatchObject({ operation: "deploy", trigger: "drift", state: "SUCCEEDED" });
    expect(await driftOf(instanceId)).toBe("IN_SYNC");
    await sweep(tenant, atMs + 120_000);
    expect(Date.parse((await of()).lastFiredAt)).toBe(atMs + 60_000);
    expect((await of()).suppressedReason).toBeNull();

    const refused = await tenant.post(`/instances/${instanceId}/triggers`, {
      kind: "drift",
      condition: { cron: "61 3 * * *" },
    });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, "/condition/cron"]);
  });

  it("of an instance without resources finds nothing", async () => {
    const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant));
    expect((await check(instanceId)).body).toMatchObject({ state: "NO_CHANGES", summary: {} });
  });
});
