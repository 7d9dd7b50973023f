/** Loops and conditions: an object belongs to its key, whatever the order of the keys, and to its alias. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { messagesOf } from "#test/support/runner.ts";
import manyZones from "../../examples/many-zones.yaml?raw";

describe.concurrent("objects of a loop", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeUnlimitedTenant();
  });

  const loop = (keys: string, aliases = "") => `
name: loops
runtime: yaml
config: { on: { type: boolean, default: true } }
resources:
  node:
    type: mock:Bucket
    forEach: ${keys}
    properties: { name: "bucket-\${each.key}" }
    options: { aliases: [${aliases}] }
outputs: { ids: "\${node.transformMap(key, one, one.id)}" }
`;
  const plain = (aliases = "") => `
name: loops
runtime: yaml
resources:
  node: { type: mock:Bucket, properties: { name: bucket-a }, options: { aliases: [${aliases}] } }
`;

  const make = async (source: string) => {
    const targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    let seen = 0;
    return {
      instanceId,
      /** Deploys and returns the answer, the cloud's calls and the plan. */
      deploy: async (next?: string, operation: "deploy" | "plan" = "deploy") => {
        if (next !== undefined) await addVersion(tenant, instanceId, templateId, next);
        const { body }: Answer = await run(tenant, instanceId, operation);
        const all = (await ledger(targetId)).map(({ verb, name }) => `${verb} ${name}`);
        const calls = all.slice(seen).toSorted();
        seen = all.length;
        const { changes = [] } = (await tenant.get(`/deployments/${body.id}/plan`)).body;
        return {
          id: body.id as string,
          state: body.state as string,
          calls,
          plan: changes.map((one: { [key: string]: string }) => [
            one["resource"],
            one["action"],
            one["reason"],
          ]),
        };
      },
      objects: async () => {
        const { resources } = (await tenant.get(`/instances/${instanceId}/resources`)).body;
        return (resources ?? []).map(({ name }: { name: string }) => name);
      },
    };
  };

  it("are made once for each key, and a reordered list changes nothing", async () => {
    const { deploy } = await make(loop("[b, a]"));
    const first = await deploy();
    expect(first).toMatchObject({
      state: "SUCCEEDED",
      calls: ["create bucket-a", "create bucket-b"],
      plan: [
        ['node["a"]', "create", undefined],
        ['node["b"]', "create", undefined],
      ],
    });
    expect(await messagesOf(tenant, first.id)).toContainEqual(expect.stringContaining('node["a"]'));
    expect(await deploy(loop("[a, b]"))).toMatchObject({ state: "NO_CHANGES", calls: [] });
    expect(await deploy(loop("{ a: 1, b: 2 }"))).toMatchObject({ state: "NO_CHANGES", calls: [] });
  });

  it("come and go with their keys alone", async () => {
    const { deploy } = await make(loop("[a, b]"));
    await deploy();
    expect(await deploy(loop("[b, c]"))).toMatchObject({
      state: "SUCCEEDED",
      calls: ["create bucket-c", "delete bucket-a"],
    });
  });

  it("keep their objects under an alias of a former key", async () => {
    const { deploy } = await make(loop("[a, b]"));
    await deploy();
    const renamed = loop("[b, c]", "{ name: node, key: a }").replace(
      '"bucket-${each.key}"',
      `'bucket-\${each.key == "c" ? "a" : each.key}'`,
    );
    expect(await deploy(renamed)).toMatchObject({
      state: "NO_CHANGES",
      calls: [],
      plan: [
        ['node["b"]', "unchanged", undefined],
        ['node["c"]', "unchanged", undefined],
      ],
    });
    // The alias stays in the template and means nothing more.
    expect(await deploy(renamed)).toMatchObject({ state: "NO_CHANGES", calls: [] });
  });

  it("move from a plain resource into a loop and back", async () => {
    const { deploy } = await make(plain());
    expect(await deploy()).toMatchObject({ calls: ["create bucket-a"] });
    expect(await deploy(loop("[a]", "{ name: node }"))).toMatchObject({
      state: "NO_CHANGES",
      calls: [],
    });
    expect(await deploy(plain("{ name: node, key: a }"))).toMatchObject({
      state: "NO_CHANGES",
      calls: [],
    });
  });

  it("keep their keys under a new name of the loop", async () => {
    const { deploy } = await make(loop("[a, b]"));
    await deploy();
    const renamed = loop("[a, b]", "node")
      .replaceAll("node", "server")
      .replace("[server]", "[node]");
    expect(await deploy(renamed)).toMatchObject({
      state: "NO_CHANGES",
      calls: [],
      plan: [
        ['server["a"]', "unchanged", undefined],
        ['server["b"]', "unchanged", undefined],
      ],
    });
  });

  it("are not deleted for an alias whose new key does not exist", async () => {
    const { deploy } = await make(plain());
    await deploy();
    const { state, calls } = await deploy(loop("[b]", "{ name: node, to: z }"));
    expect([state, calls]).toEqual(["FAILED", []]);
  });

  it("do not take a new key for a former one that is still there", async () => {
    const { deploy } = await make(loop("[a]"));
    await deploy();
    expect(await deploy(loop("[a, z]", "{ name: node, key: a }"))).toMatchObject({
      state: "SUCCEEDED",
      calls: ["create bucket-z"],
    });
  });
});

describe("a condition", () => {
  it("creates, keeps and deletes its object, and the plan says why", async () => {
    const tenant = await makeUnlimitedTenant();
    const targetId = await makeTarget(tenant);
    const source = `
name: conditions
runtime: yaml
config: { on: { type: boolean } }
resources:
  base: { type: mock:Bucket, properties: { name: base } }
  extra: { type: mock:Bucket, when: "\${on}", properties: { name: extra } }
outputs: { extra: "\${extra.?name.orValue('none')}" }
`;
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      variables: { on: true },
    });
    const deploy = async (on: boolean) => {
      await tenant.patch(`/instances/${instanceId}`, { variables: { on } });
      const { body } = await run(tenant, instanceId, "deploy");
      const { changes } = (await tenant.get(`/deployments/${body.id}/plan`)).body;
      const { outputs } = (await tenant.get(`/instances/${instanceId}`)).body;
      return { state: body.state, changes, outputs };
    };
    expect(await deploy(true)).toMatchObject({ state: "SUCCEEDED", outputs: { extra: "extra" } });
    expect(await deploy(false)).toMatchObject({
      state: "SUCCEEDED",
      outputs: { extra: "none" },
      changes: [
        { resource: "base", action: "unchanged" },
        { resource: "extra", action: "delete", reason: "its condition is false" },
      ],
    });
    expect(await deploy(false)).toMatchObject({ state: "NO_CHANGES" });
  });

  it("does not delete a protected object", async () => {
    const tenant = await makeUnlimitedTenant();
    const source = `
name: conditions
runtime: yaml
config: { on: { type: boolean } }
resources:
  extra: { type: mock:Bucket, when: "\${on}", properties: { name: extra }, options: { protect: true } }
`;
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant), {
      variables: { on: true },
    });
    await run(tenant, instanceId, "deploy");
    await tenant.patch(`/instances/${instanceId}`, { variables: { on: false } });
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body).toMatchObject({ state: "FAILED", error: { code: "resource_protected" } });
  });
});

it("the example of many zones adds a monitor in production, and loses a zone alone", async () => {
  const tenant = await makeUnlimitedTenant();
  const templateId = await makeTemplate(tenant, manyZones);
  const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant));
  const deploy = async (variables: object) => {
    await tenant.patch(`/instances/${instanceId}`, { variables });
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("SUCCEEDED");
    const { changes } = (await tenant.get(`/deployments/${body.id}/plan`)).body;
    const made = changes.filter(({ action }: { action: string }) => action !== "unchanged");
    return made.map((one: { [key: string]: string }) => `${one["action"]} ${one["resource"]}`);
  };
  expect(await deploy({})).toHaveLength(7);
  const outputs = async () => (await tenant.get(`/instances/${instanceId}`)).body.outputs;
  expect(await outputs()).toMatchObject({
    ranges: { "eu-1a": "10.20.0.0/24", "eu-1b": "10.20.1.0/24", "eu-1c": "10.20.2.0/24" },
    monitor: "none",
  });
  expect(await deploy({ environment: "production" })).toEqual([
    'update server["eu-1a"]',
    'update server["eu-1b"]',
    'update server["eu-1c"]',
    "create monitor",
  ]);
  const zones = { "eu-1a": { size: "small", subnet: 0 }, "eu-1c": { size: "small", subnet: 2 } };
  expect(new Set(await deploy({ environment: "production", zones }))).toEqual(
    new Set(['delete subnet["eu-1b"]', 'delete server["eu-1b"]', "update monitor"]),
  );
  expect(Object.keys((await outputs()).servers)).toEqual(["eu-1a", "eu-1c"]);
});
