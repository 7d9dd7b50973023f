/**
 * Kills the runner before and after every commit of runs that change loops, conditions and components. No object is
 * replaced, lost or made twice, and each has its new address. An ordinary run takes a part of the commits.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import { ledger, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { testSeed } from "#test/support/depth.ts";
import { eventsOf, runnerOf } from "#test/support/runner.ts";
import { killAtCommits } from "./kill-at-commits.ts";

/** The component of all templates below. */
const part = `
name: part
runtime: yaml
config:
  prefix: { type: string, default: "" }
  names: { type: array, items: { type: string } }
  label: { type: string, default: none }
resources:
  inner:
    type: mock:Bucket
    forEach: \${names}
    properties: { name: "\${prefix}\${each.key}", label: "\${label}" }
outputs:
  ids: \${inner.transformMap(key, one, one.id)}
`;

/** Loops and conditions by config values. */
const turns = `
name: turns
runtime: yaml
config:
  names: { type: array, items: { type: string } }
  on: { type: boolean }
  label: { type: string }
resources:
  node:
    type: mock:Bucket
    forEach: \${names}
    properties: { name: "node-\${each.key}", label: "\${label}" }
  extra: { type: mock:Bucket, when: "\${on}", properties: { name: extra } }
  parts:
    component: part
    forEach: \${names}
    properties: { prefix: "\${each.key}-", names: "\${names}" }
  side: { component: part, when: "\${on}", properties: { prefix: side-, names: [s] } }
outputs:
  nodes: \${node.transformMap(key, one, one.name)}
  extra: \${extra.?name.orValue("none")}
`;

/** The objects are named after the values, so that they stay as they are under other keys. */
const keyed = (label: string, nodes: string, parts: string, aliases: [string, string]) => `
name: keyed
runtime: yaml
resources:
  node:
    type: mock:Bucket
    forEach: ${nodes}
    properties: { name: "node-\${each.value}", label: ${label} }
    options: { aliases: [${aliases[0]}] }
  parts:
    component: part
    forEach: ${parts}
    properties: { prefix: "\${each.value}-", names: [k], label: ${label} }
    options: { aliases: [${aliases[1]}] }
`;

const moving = (resource: string, id: string) => `
name: moving
runtime: yaml
resources:
  ${resource}
  app: { type: mock:Server, properties: { name: app, image: v1, box: '\${${id}}' } }
`;
const box = (label: string, aliases = "") =>
  `box: { type: mock:Bucket, properties: { name: box, label: ${label} }, options: { aliases: [${aliases}] } }`;
const pool = `pool: { type: mock:Bucket, forEach: [box], properties: { name: box, label: two }, options: { aliases: [{ name: box, to: box }] } }`;
const inComponent = `parts: { component: part, properties: { names: [box], label: three }, options: { aliases: [{ address: 'pool["box"]', to: 'inner["box"]' }] } }`;

interface Scene {
  /** The versions of the template. The first one is deployed before the run, the others in the run, in turn. */
  sources: string[];
  /** Of the first deployment, and of those in the run. */
  variables?: [before: JsonMap, after: JsonMap];
  /** The former address of each object, by address; "new" for one that the run makes. */
  origins: Record<string, string>;
  /** The objects that the run deletes. */
  deletes?: string[];
}

const scenes: Record<string, Scene> = {
  "reorders the lists of loops": {
    sources: [turns],
    variables: [
      { names: ["b", "a"], on: true, label: "one" },
      { names: ["a", "b"], on: true, label: "two" },
    ],
    origins: stay(
      'node["a"]',
      'node["b"]',
      "extra",
      'parts["a"]/inner["a"]',
      'parts["a"]/inner["b"]',
      'parts["b"]/inner["a"]',
      'parts["b"]/inner["b"]',
      'side/inner["s"]',
    ),
  },
  "renames keys by aliases": {
    sources: [
      keyed("one", "{ a: first, b: second }", "{ x: third, y: fourth }", ["", ""]),
      keyed("two", "{ c: first, b: second }", "{ z: third, y: fourth }", [
        "{ name: node, key: a, to: c }",
        `{ name: parts, key: x, to: '["z"]' }`,
      ]),
    ],
    origins: {
      ...stay('node["b"]', 'parts["y"]/inner["k"]'),
      'node["c"]': 'node["a"]',
      'parts["z"]/inner["k"]': 'parts["x"]/inner["k"]',
    },
  },
  "moves a resource into a loop, into a component, and back": {
    sources: [
      moving(box("one"), "box.id"),
      moving(pool, 'pool["box"].id'),
      moving(inComponent, "parts.ids.box"),
      moving(box("four", `{ address: 'parts/inner["box"]' }`), "box.id"),
    ],
    origins: stay("box", "app"),
  },
  "adds and removes turns while a condition turns false": {
    sources: [turns],
    variables: [
      { names: ["a", "b"], on: true, label: "one" },
      { names: ["b", "c"], on: false, label: "two" },
    ],
    origins: {
      ...stay('node["b"]', 'parts["b"]/inner["b"]'),
      'node["c"]': "new",
      'parts["b"]/inner["c"]': "new",
      'parts["c"]/inner["b"]': "new",
      'parts["c"]/inner["c"]': "new",
    },
    deletes: ["a-a", "a-b", "b-a", "extra", "node-a", "side-s"],
  },
};

function stay(...addresses: string[]): Record<string, string> {
  return Object.fromEntries(addresses.map((address) => [address, address]));
}

interface Place {
  instanceId: string;
  targetId: string;
  /** The addresses before the run, by id. */
  addresses: ReadonlyMap<string, string>;
}

describe(`a run of a template with loops and components that dies at any commit (TEST_SEED=${testSeed})`, () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeUnlimitedTenant();
    const made = await tenant.post("/templates", { name: "part", source: part, release: "1.0.0" });
    expect(made.status, made.text).toBe(201);
  });

  const patch = async (instanceId: string, body: JsonMap): Promise<void> => {
    const patched = await tenant.patch(`/instances/${instanceId}`, body);
    expect(patched.status, patched.text).toBe(200);
  };
  const deployed = async (instanceId: string): Promise<string> => {
    const done = await run(tenant, instanceId, "deploy");
    expect(done.body.state, JSON.stringify(done.body.error)).toBe("SUCCEEDED");
    return done.body.id;
  };
  const objectsOf = async (instanceId: string): Promise<{ id: string; name: string }[]> => {
    const resources = await runnerOf(instanceId).listResources();
    return resources.map(({ id, name, state }) => {
      expect(state).toBe("READY");
      return { id, name };
    });
  };

  const outcome = async (ids: readonly string[], { instanceId, targetId, addresses }: Place) => {
    const rows = [];
    for (const id of ids) {
      const { state, summary, error } = (await tenant.get(`/deployments/${id}`)).body;
      rows.push({ state, summary, error, events: await eventsOf(id) });
    }
    const objects = await objectsOf(instanceId);
    const entries = await ledger(targetId);
    const gone = entries.filter(({ verb }) => verb === "delete");
    const alive = entries.filter(
      ({ verb, id }) => verb === "create" && !gone.some((other) => other.id === id),
    );
    expect(alive.map(({ id }) => id).toSorted()).toEqual(objects.map(({ id }) => id).toSorted());
    const instance = await tenant.get(`/instances/${instanceId}`);
    return {
      rows,
      origins: Object.fromEntries(
        objects.map(({ id, name }) => [name, addresses.get(id) ?? "new"]),
      ),
      calls: entries.map(({ verb, name }) => `${verb} ${name}`).toSorted(),
      deletes: gone.map(({ name }) => name).toSorted(),
      instance: instance.body.state,
      outputs: instance.body.outputs,
    };
  };

  for (const [name, { sources, variables, origins, deletes = [] }] of Object.entries(scenes))
    it(
      `has the same objects under the same addresses as without a crash if it ${name}`,
      { timeout: 240_000 },
      async () => {
        const [first = "", ...later] = sources;
        const templateId = await makeTemplate(tenant, first);
        for (const source of later) {
          const added = await tenant.post(`/templates/${templateId}/versions`, { source });
          expect(added.status, added.text).toBe(201);
        }
        const changes: JsonMap[] =
          variables === undefined
            ? later.map((_, at) => ({ templateVersion: at + 2 }))
            : [{ variables: variables[1] }];
        const crashes = await killAtCommits({
          make: async (): Promise<Place> => {
            const targetId = await makeTarget(tenant);
            const instanceId = await makeInstance(tenant, templateId, targetId, {
              templateVersion: 1,
              variables: variables?.[0] ?? {},
            });
            await deployed(instanceId);
            const before = await objectsOf(instanceId);
            return {
              instanceId,
              targetId,
              addresses: new Map(before.map(({ id, name: address }) => [id, address])),
            };
          },
          act: async ({ instanceId }) => {
            const ids: string[] = [];
            for (const change of changes) {
              await patch(instanceId, change);
              ids.push(await deployed(instanceId));
            }
            return ids;
          },
          outcome,
          expectOutcome: (whole) => {
            expect(whole).toMatchObject({ deletes, instance: "ACTIVE" });
            expect(whole.origins).toEqual(origins);
          },
        });
        expect(crashes).toBeGreaterThanOrEqual(8 * changes.length);
      },
    );
});
