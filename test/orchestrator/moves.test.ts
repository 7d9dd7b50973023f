/**
 * Moves among resources, loops and components by aliases, in deployments: the objects keep their ids at the cloud, also
 * when a rollback takes them back.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { runnerOf } from "#test/support/runner.ts";

const components = {
  one: `
name: one
runtime: yaml
config: { name: { type: string, default: x } }
resources:
  subnet: { type: mock:Bucket, properties: { name: "\${name}" } }
`,
  many: `
name: many
runtime: yaml
config: { names: { type: object } }
resources:
  subnet: { type: mock:Bucket, forEach: "\${names}", properties: { name: "\${each.value}" } }
`,
  outer: `
name: outer
runtime: yaml
resources:
  inner: { component: one }
`,
};

/** A resource, a loop or the use of a component, with its aliases. */
const bucket = (name: string, aliases = "") =>
  `{ type: mock:Bucket, properties: { name: ${name} }, options: { aliases: [${aliases}] } }`;
const loop = (names: string, aliases = "") =>
  `{ type: mock:Bucket, forEach: ${names}, properties: { name: "\${each.value}" }, options: { aliases: [${aliases}] } }`;
const use = (component: keyof typeof components, properties: string, aliases = "") =>
  `{ component: ${component}, properties: ${properties}, options: { aliases: [${aliases}] } }`;
const repeated = (names: string, aliases = "") =>
  `{ component: one, forEach: ${names}, properties: { name: "\${each.value}" }, options: { aliases: [${aliases}] } }`;

type Resources = Record<string, string>;

const template = (resources: Resources) =>
  [
    "name: moves",
    "runtime: yaml",
    "resources:",
    ...Object.entries(resources).map(([name, one]) => `  ${name}: ${one}`),
  ].join("\n");

interface Move {
  before: Resources;
  after: Resources;
  /** The former address by the new one, of each object that is there before and after. */
  origins: Record<string, string>;
  /** Objects that the change makes. */
  creates?: string[];
  /** Another object has its former name, so a rollback cannot tell which one was meant. */
  isNameTaken?: true;
}

const moves: Record<string, Move> = {
  "to another name": {
    before: { node: bucket("x") },
    after: { server: bucket("x", "node") },
    origins: { server: "node" },
  },
  "into a loop of its name": {
    before: { node: bucket("x") },
    after: { node: loop("{ a: x }", "{ name: node, to: a }") },
    origins: { 'node["a"]': "node" },
  },
  "with another one into a loop": {
    before: { web1: bucket("x"), web2: bucket("y") },
    after: { web: loop('{ "1": x, "2": y }', '{ name: web1, to: "1" }, { name: web2, to: "2" }') },
    origins: { 'web["1"]': "web1", 'web["2"]': "web2" },
  },
  "to another key": {
    before: { node: loop("{ old: x, b: y }") },
    after: { node: loop("{ new: x, b: y }", "{ name: node, key: old, to: new }") },
    origins: { 'node["new"]': 'node["old"]', 'node["b"]': 'node["b"]' },
  },
  "to a loop of another name": {
    before: { node: loop("{ a: x, b: y }") },
    after: { server: loop("{ a: x, b: y }", "node") },
    origins: { 'server["a"]': 'node["a"]', 'server["b"]': 'node["b"]' },
  },
  "out of a loop": {
    before: { node: loop("{ a: x }") },
    after: { node: bucket("x", "{ name: node, key: a }") },
    origins: { node: 'node["a"]' },
  },
  "into a component": {
    before: { subnet: bucket("x") },
    after: { network: use("one", "{}", "{ address: subnet, to: subnet }") },
    origins: { "network/subnet": "subnet" },
  },
  "into a component of a component": {
    before: { subnet: bucket("x") },
    after: { network: use("outer", "{}", "{ address: subnet, to: inner/subnet }") },
    origins: { "network/inner/subnet": "subnet" },
  },
  "into a loop in a component": {
    before: { subnet: bucket("x") },
    after: {
      network: use("many", "{ names: { a: x } }", `{ address: subnet, to: 'subnet["a"]' }`),
    },
    origins: { 'network/subnet["a"]': "subnet" },
  },
  "as a whole loop into a component": {
    before: { subnet: loop("{ a: x, b: y }") },
    after: {
      network: use("many", "{ names: { a: x, b: y } }", "{ address: subnet, to: subnet }"),
    },
    origins: { 'network/subnet["a"]': 'subnet["a"]', 'network/subnet["b"]': 'subnet["b"]' },
  },
  "out of a component": {
    before: { network: use("one", "{}") },
    after: { subnet: bucket("x", "{ address: network/subnet }") },
    origins: { subnet: "network/subnet" },
  },
  "out of a component into a loop": {
    before: { network: use("many", "{ names: { a: x } }") },
    after: { subnet: loop("{ b: x }", `{ address: 'network/subnet["a"]', to: b }`) },
    origins: { 'subnet["b"]': 'network/subnet["a"]' },
  },
  "with its component to another name": {
    before: { net: use("many", "{ names: { a: x } }"), other: use("one", "{ name: y }") },
    after: {
      network: use("many", "{ names: { a: x } }", "net"),
      next: use("one", "{ name: y }", "other"),
    },
    origins: { 'network/subnet["a"]': 'net/subnet["a"]', "next/subnet": "other/subnet" },
  },
  "with its component into a loop": {
    before: { network: use("one", "{}") },
    after: { network: repeated("{ eu: x }", `{ name: network, to: '["eu"]' }`) },
    origins: { 'network["eu"]/subnet': "network/subnet" },
  },
  "with its component to another key": {
    before: { network: repeated("{ old: x, b: y }") },
    after: {
      network: repeated("{ new: x, b: y }", `{ name: network, key: old, to: '["new"]' }`),
    },
    origins: {
      'network["new"]/subnet': 'network["old"]/subnet',
      'network["b"]/subnet': 'network["b"]/subnet',
    },
  },
  "into a loop, while another resource takes its name": {
    before: { web: bucket("x") },
    after: {
      web: "{ type: mock:Server, properties: { name: y, image: v1 } }",
      pool: loop("{ a: x }", "{ name: web, to: a }"),
    },
    origins: { 'pool["a"]': "web" },
    creates: ["web"],
    isNameTaken: true,
  },
  "with its component, while another component takes the name": {
    before: { net: use("many", "{ names: { a: x } }") },
    after: {
      net: use("many", "{ names: { a: y } }"),
      former: use("many", "{ names: { a: x } }", "net"),
    },
    origins: { 'former/subnet["a"]': 'net/subnet["a"]' },
    creates: ['net/subnet["a"]'],
    isNameTaken: true,
  },
  "nowhere, while a component with its former key gets another turn": {
    before: { network: repeated("{ a: x }") },
    after: { network: repeated("{ a: x, b: y }", "{ name: network, key: a }") },
    origins: { 'network["a"]/subnet': 'network["a"]/subnet' },
    creates: ['network["b"]/subnet'],
  },
};

describe.concurrent("an object", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeUnlimitedTenant();
    for (const [name, source] of Object.entries(components)) {
      const made = await tenant.post("/templates", { name, source, release: "1.0.0" });
      expect(made.status, made.text).toBe(201);
    }
  });

  it.for(Object.entries(moves))(
    "keeps its id when it moves %s",
    async ([, { before, after, origins, creates = [], isNameTaken }]) => {
      const targetId = await makeTarget(tenant);
      const templateId = await makeTemplate(tenant, template(before));
      const instanceId = await makeInstance(tenant, templateId, targetId);
      const ids = async () => {
        const objects = await runnerOf(instanceId).listResources();
        return new Map(objects.map(({ name, id }) => [name, id]));
      };
      const deleted = async () =>
        (await ledger(targetId)).filter(({ verb }) => verb === "delete").map(({ name }) => name);
      const first = await run(tenant, instanceId, "deploy");
      expect(first.body.state, first.text).toBe("SUCCEEDED");
      const former = await ids();

      await addVersion(tenant, instanceId, templateId, template(after));
      const moved = await run(tenant, instanceId, "deploy");
      expect(moved.body.error).toBeNull();
      expect(moved.body.state).toBe(creates.length > 0 ? "SUCCEEDED" : "NO_CHANGES");
      const present = await ids();
      expect([...present.keys()].toSorted()).toEqual(
        [...Object.keys(origins), ...creates].toSorted(),
      );
      for (const [address, origin] of Object.entries(origins))
        expect(present.get(address), address).toBe(former.get(origin));
      expect(await deleted()).toEqual([]);
      const planned = await run(tenant, instanceId, "plan");
      expect(planned.body.summary).toMatchObject({ create: 0, update: 0, replace: 0, delete: 0 });
      expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
      if (isNameTaken) return;

      const asked = await tenant.post(`/deployments/${moved.body.id}/rollback`);
      expect(asked.status, asked.text).toBe(202);
      const back = await untilOver(tenant, asked.body.id);
      expect(back.body.error).toBeNull();
      expect(Object.fromEntries(await ids())).toEqual(Object.fromEntries(former));
      const again = await tenant.patch(`/instances/${instanceId}`, { templateVersion: 2 });
      expect(again.status, again.text).toBe(200);
      await run(tenant, instanceId, "deploy");
      const last = await ids();
      for (const [address, origin] of Object.entries(origins))
        expect(last.get(address), `${address}, again`).toBe(former.get(origin));
    },
  );
});
