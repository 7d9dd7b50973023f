/**
 * Objects that were not usable in time, or were perhaps deleted. They are read before a step replaces them or relies on
 * them.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { ledger, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

const source = `name: unready
runtime: yaml
config:
  engine: { type: string, default: pg }
  size: { type: string, default: small }
resources:
  db:
    type: mock:Database
    properties: { name: db, engine: "\${engine}", size: "\${size}" }
    options: { protect: true, deleteBeforeReplace: true, customTimeouts: { create: 1s } }
  app: { type: mock:Server, properties: { name: app, network: "\${db.id}" } }
outputs:
  db: \${db.id}
  status: \${db.status}
`;

describe.concurrent("an object whose create timed out", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  /** An instance on a cloud where the database takes a minute, after its first deploy. */
  const makeUnready = async (config: JsonMap = {}) => {
    const targetId = await makeTarget(tenant, {
      readyAfterMs: 60_000,
      longestRequestMs: 50,
      ...config,
    });
    const templateId = await makeTemplate(tenant, source);
    // A plan that deletes or replaces would wait for approval.
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      approvalMode: "destructive",
    });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "timed_out" } });
    expect(await resources(instanceId)).toEqual(["db UNREADY"]);
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    return {
      instanceId,
      verbs: async () => (await ledger(targetId)).map(({ verb, name }) => `${verb} ${name}`),
      finish: () =>
        runInDurableObject(cloud, (one) => {
          one.now = () => Date.now() + 70_000;
        }),
      configure: async (readyAfterMs: number, faults: JsonMap[] = []) => {
        const body = { config: { readyAfterMs, longestRequestMs: 50, faults } };
        const patched = await tenant.patch(`/cloud/targets/${targetId}`, body);
        expect(patched.status, patched.text).toBe(200);
      },
      ask: async (method: string) => {
        const { id } = (await ledger(targetId))[0] ?? {};
        await cloud.fetch(`https://mock.cloud.invalid/v1/databases/${id}`, { method });
      },
    };
  };
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources())
      .map(({ name, state }) => `${name} ${state}`)
      .sort();

  it("is kept if it has become usable, with its outputs, although it is protected", async () => {
    const { instanceId, verbs, finish, configure } = await makeUnready();
    await finish();
    await configure(0);
    const planned = await run(tenant, instanceId, "plan");
    const { body } = await tenant.get(`/deployments/${planned.body.id}/plan`);
    expect(body.changes[0]).toMatchObject({
      resource: "db",
      action: "update",
      reason: "its create or delete was not seen to end: read first, and kept if it is usable",
    });
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body, over.text).toMatchObject({
      state: "SUCCEEDED",
      summary: { create: 1, update: 1, replace: 0, delete: 0 },
    });
    expect(await verbs()).toEqual(["create db", "create app"]);
    expect(await resources(instanceId)).toEqual(["app READY", "db READY"]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.outputs).toMatchObject({
      status: "ready",
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("is changed once it is usable, if the template changed meanwhile", async () => {
    const { instanceId, verbs, finish, configure } = await makeUnready();
    await finish();
    await configure(0);
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "large" } });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(await verbs()).toEqual(["create db", "update db", "create app"]);
  });

  it("is waited for again if it is still not usable, and stays as it is", async () => {
    const { instanceId, verbs } = await makeUnready();
    const again = await run(tenant, instanceId, "deploy");
    expect(again.body).toMatchObject({ state: "FAILED", error: { code: "timed_out" } });
    expect(await messagesOf(tenant, again.body.id)).toContainEqual(
      expect.stringContaining('Reading db: in progress at the provider (status is "creating")'),
    );
    expect(await verbs()).toEqual(["create db"]);
    expect(await resources(instanceId)).toEqual(["db UNREADY"]);
  });

  it("stays as it is if it cannot be read", async () => {
    const { instanceId, configure, verbs } = await makeUnready();
    await configure(0, [{ kind: "databases", on: "read", status: 403, times: 99 }]);
    const refused = await run(tenant, instanceId, "deploy");
    expect(refused.body).toMatchObject({ state: "FAILED", error: { code: "scripted_fault" } });
    expect(await resources(instanceId)).toEqual(["db UNREADY"]);
    expect(await verbs()).toEqual(["create db"]);
  });

  it("is tainted if the cloud says that it failed, and the next plan replaces it", async () => {
    const { instanceId, verbs, finish } = await makeUnready({
      faults: [{ kind: "databases", on: "create", effect: "fails" }],
    });
    await finish();
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "resource_failed" } });
    expect(await resources(instanceId)).toEqual(["db TAINTED"]);
    expect(await verbs()).toEqual(["create db"]);
    const next = await run(tenant, instanceId, "plan");
    expect(next.body.summary).toMatchObject({ replace: 1 });
  });

  it("is created again if it is gone", async () => {
    const { instanceId, verbs, configure, ask } = await makeUnready();
    await configure(0);
    await ask("DELETE");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(await verbs()).toEqual(["create db", "delete db", "create db", "create app"]);
  });
});

describe.concurrent("an object whose delete was not seen to end", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  const simple = `name: undeleted
runtime: yaml
resources:
  app: { type: mock:Server, properties: { name: app }, options: { customTimeouts: { delete: 1s } } }
outputs: { id: "\${app.id}" }
`;

  /** The database is deleted first when its engine changes, while the server that uses it stays. */
  const replaced = `name: undeleted-in-use
runtime: yaml
config: { engine: { type: string } }
resources:
  db:
    type: mock:Database
    properties: { name: db, engine: "\${engine}" }
    options: { deleteBeforeReplace: true, customTimeouts: { delete: 1s } }
  app: { type: mock:Server, properties: { name: app, network: "\${db.id}" } }
`;

  /** Faults: the delete takes effect but is answered 500, and the object cannot be read for a while. */
  const acted: JsonMap[] = [
    { on: "delete", status: 500, effect: "after" },
    { on: "read", status: 500, times: 99 },
  ];
  const refusing = (status: number): JsonMap[] => [{ on: "delete", status, times: 99 }];

  /** An instance whose destroy failed at a cloud with these faults. */
  const afterDestroy = async (faults: JsonMap[]) => {
    const targetId = await makeTarget(tenant, { longestRequestMs: 50 });
    const templateId = await makeTemplate(tenant, simple);
    const instanceId = await makeInstance(tenant, templateId, targetId, { approvalMode: "auto" });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const answers = async (faults: JsonMap[]) => {
      const body = { config: { longestRequestMs: 50, faults } };
      expect((await tenant.patch(`/cloud/targets/${targetId}`, body)).status).toBe(200);
    };
    await answers(faults.map((fault) => ({ kind: "servers", ...fault })));
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("FAILED");
    await answers([]);
    const state = (await runnerOf(instanceId).listResources()).map((one) => one.state);
    const verbs = async () => (await ledger(targetId)).map(({ verb, name }) => `${verb} ${name}`);
    return { instanceId, state, verbs };
  };

  it("is made again if it is gone", async () => {
    const { instanceId, state, verbs } = await afterDestroy(acted);
    expect(state).toEqual(["UNREADY"]);
    const planned = await run(tenant, instanceId, "plan");
    expect(planned.body.summary).toMatchObject({ update: 1, unchanged: 0 });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(await verbs()).toEqual(["create app", "delete app", "create app"]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("is kept and updated if it is there", async () => {
    const { instanceId, state, verbs } = await afterDestroy(refusing(500));
    expect(state).toEqual(["UNREADY"]);
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state).toBe("SUCCEEDED");
    expect(await messagesOf(tenant, over.body.id)).toEqual(
      expect.arrayContaining(["Reading app.", "Updating app."]),
    );
    // The same values again change nothing there.
    expect(await verbs()).toEqual(["create app"]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("is deleted by the next destroy, there or not", async () => {
    const { instanceId, verbs } = await afterDestroy(refusing(500));
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(await verbs()).toEqual(["create app", "delete app"]);
    const gone = await afterDestroy(acted);
    expect((await run(tenant, gone.instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(await gone.verbs()).toEqual(["create app", "delete app"]);
  });

  it("stays as it is if the cloud refused the delete", async () => {
    const { instanceId, state, verbs } = await afterDestroy(refusing(403));
    expect(state).toEqual(["READY"]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
    expect(await verbs()).toEqual(["create app"]);
  });

  it("gives what uses it the id of the object that is made again", async () => {
    const targetId = await makeTarget(tenant, { longestRequestMs: 50 });
    const templateId = await makeTemplate(tenant, replaced);
    const made = { approvalMode: "auto", variables: { engine: "pg" } };
    const instanceId = await makeInstance(tenant, templateId, targetId, made);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const answers = async (faults: JsonMap[]) => {
      const body = { config: { longestRequestMs: 50, faults } };
      expect((await tenant.patch(`/cloud/targets/${targetId}`, body)).status).toBe(200);
    };
    const set = async (engine: string) => {
      const patched = await tenant.patch(`/instances/${instanceId}`, { variables: { engine } });
      expect(patched.status, patched.text).toBe(200);
    };
    await answers(acted.map((fault) => ({ kind: "databases", ...fault })));
    await set("mysql");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    await answers([]);
    await set("pg");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const objects = await runnerOf(instanceId).listResources();
    const { id } = objects.find(({ name }) => name === "db") ?? {};
    expect((await ledger(targetId)).map(({ verb, name }) => `${verb} ${name}`)).toEqual([
      "create db",
      "create app",
      "delete db",
      "create db",
      "update app",
    ]);
    expect(id).toBeDefined();
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });
});
