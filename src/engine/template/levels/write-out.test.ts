import { describe, expect, it } from "vitest";
import { parseTemplate } from "#engine/template/parse.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import {
  configValues,
  type ControlNames,
  createResolver,
  layOut,
} from "#engine/template/resolve.ts";
import type { Library, Template } from "#engine/template/template.ts";
import { reveal, type Value } from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { writtenOutDependencies } from "./uses.ts";
import { writeOut } from "./write-out.ts";

const control: ControlNames = {
  instance: { id: "i", name: "shop" },
  tenant: { id: "t", slug: "acme" },
  target: { name: "main", region: "eu", environment: "production" },
};

function parsed(source: string): Template {
  const { template, diagnostics } = parseTemplate(source);
  if (template === undefined) throw new Error(JSON.stringify(diagnostics));
  return template;
}

/** A template with config values, written out; each resource has the output `id`: its address. */
function written(source: string, given: JsonMap = {}, components: Record<string, string> = {}) {
  const root = parsed(source);
  const library: Library = Object.fromEntries(
    Object.entries(components).map(([key, text]) => [
      key,
      {
        template: parsed(text),
        pins: { "subnet@*": "subnet", "network@*": "network", "empty@*": "empty" },
      },
    ]),
  );
  const config = configValues(root, given).values;
  const pins = Object.fromEntries(Object.keys(library).map((key) => [`${key}@*`, key]));
  const levels = layOut(root, { config, control }, { pins, library });
  const { template, leftOut, unmet } = writeOut(levels.root, levels.layout);
  const outputsOf = (address: string): Value => ({ id: address, name: `name of ${address}` });
  const resolver = createResolver(template, { config, control, outputsOf }, levels);
  return {
    addresses: Object.keys(template.resources),
    leftOut: [...leftOut],
    unmet: Object.fromEntries(unmet),
    properties: (address: string) => reveal(resolver.properties(address)),
    outputs: () => reveal(resolver.outputs()),
    dependencies: Object.fromEntries(writtenOutDependencies(template, levels.root, levels.layout)),
    aliases: Object.fromEntries(
      Object.entries(template.resources).map(([address, { options }]) => [
        address,
        options.aliases,
      ]),
    ),
  };
}

function refusal(source: string, given: JsonMap = {}): ResolveError {
  try {
    written(source, given);
  } catch (error) {
    if (error instanceof ResolveError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}

describe("a loop", () => {
  const zones = `
config: { zones: { type: object, default: { b: { size: 20 }, a: { size: 10 } } } }
resources:
  node:
    type: mock:Server
    forEach: \${zones}
    properties: { name: "\${control.instance.name}-\${each.key}", size: "\${each.value.size * 2}" }
  single: { type: mock:Server, properties: { first: '\${node["a"].id}' } }
  all: { type: mock:Server, properties: { ids: "\${node.transformList(key, one, one.id)}" } }
outputs:
  ids: "\${node.transformMap(key, one, one.id)}"
`;

  it("makes a resource for each key, sorted by code unit", () => {
    const { addresses, properties } = written(zones);
    expect(addresses).toEqual(['node["a"]', 'node["b"]', "single", "all"]);
    expect(properties('node["b"]')).toEqual({ name: "shop-b", size: 40 });
  });

  it("is a map from key to resource for the rest of the template", () => {
    const { properties, outputs } = written(zones);
    expect(properties("single")).toEqual({ first: 'node["a"]' });
    expect(properties("all")).toEqual({ ids: ['node["a"]', 'node["b"]'] });
    expect(outputs()).toEqual({ ids: { a: 'node["a"]', b: 'node["b"]' } });
  });

  it("makes its readers wait for the turns that they read", () => {
    expect(written(zones).dependencies).toEqual({
      'node["a"]': [],
      'node["b"]': [],
      single: ['node["a"]'],
      all: ['node["a"]', 'node["b"]'],
    });
  });

  it("takes a list of unique texts, and a reordered list changes nothing", () => {
    const source = (list: string) =>
      `resources: { n: { type: mock:Server, forEach: ${list}, properties: { name: "\${each.value}" } } }`;
    const { addresses, properties } = written(source("[b, a]"));
    expect(addresses).toEqual(['n["a"]', 'n["b"]']);
    expect(properties('n["b"]')).toEqual({ name: "b" });
    expect(written(source("[a, b]")).addresses).toEqual(addresses);
  });

  it("may be over the resources of another loop", () => {
    const { addresses, properties, dependencies } = written(`
resources:
  disk: { type: mock:Disk, forEach: [x, y], properties: {} }
  server: { type: mock:Server, forEach: "\${disk}", properties: { disk: "\${each.value.id}" } }
`);
    expect(addresses).toEqual(['disk["x"]', 'disk["y"]', 'server["x"]', 'server["y"]']);
    expect(properties('server["y"]')).toEqual({ disk: 'disk["y"]' });
    expect(dependencies['server["y"]']).toEqual(['disk["x"]', 'disk["y"]']);
  });

  it("computes of a component's outputs those that are read", () => {
    const spentMs = processorTime();
    const keys = JSON.stringify(Array.from({ length: 240 }, (_, at) => `k${at}`));
    const outputs = Array.from({ length: 400 }, (_, at) => `  o${at}: ""\n`).join("");
    const { properties, addresses } = written(
      `resources:
  u: { component: c, forEach: ${keys} }
  a: { type: mock:Server, forEach: ${keys}, properties: { name: "\${u.k1.o1}" } }
`,
      {},
      { c: `outputs:\n${outputs}` },
    );
    for (const address of addresses) expect(properties(address)).toEqual({ name: "" });
    // It takes a tenth of a second; with all outputs for each reader, five.
    expect(spentMs()).toBeLessThan(2_500);
  });

  it("passes on a member that is null", () => {
    const { properties } = written(
      'resources: { n: { type: mock:Server, forEach: { k: null }, properties: { v: "${each.value}" } } }',
    );
    expect(properties('n["k"]')).toEqual({ v: null });
  });

  it("writes keys of any form into addresses that are read back", () => {
    const { addresses } = written(
      `resources: { n: { type: mock:Server, forEach: ['a"b', "c]/d", "é"], properties: {} } }`,
    );
    expect(addresses).toEqual(['n["a\\"b"]', 'n["c]/d"]', 'n["é"]']);
  });

  it.for([
    ["3", "invalid_loop", "is over a number"],
    ["[a, a]", "invalid_loop", "has the same text twice"],
    ["[a, 1]", "invalid_loop", "has a number in its list"],
    ['["a\\u202e"]', "invalid_loop", "has the key"],
    ["['']", "invalid_loop", "has the key"],
    ["['a ']", "invalid_loop", "has the key"],
    ['["e\\u0301"]', "invalid_loop", "has the key"],
    // After apply, the key may be left out.
    ["{ a: '${other.id == \"x\" ? 1 : omit()}' }", "not_known_yet", "known only after apply"],
    ["${other.id}", "not_known_yet", "known only after apply"],
    ["${secret}", "sealed_value", "is a secret value"],
    ["${n}", "dependency_cycle", "depends on itself"],
  ] as const)("over %s is refused", ([forEach, code, message]) => {
    const error = refusal(
      `
config: { secret: { type: object, secret: true } }
resources:
  other: { type: mock:Server, properties: {} }
  n: { type: mock:Server, forEach: ${forEach.startsWith("$") ? `"${forEach}"` : forEach}, properties: {} }
`,
      { secret: { a: 1 } },
    );
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("has at most 500 resources with all others", () => {
    const source = `
config: { keys: { type: array } }
resources:
  one: { type: mock:Server, properties: {} }
  n: { type: mock:Server, forEach: "\${keys}", properties: {} }
`;
    const keys = Array.from({ length: 499 }, (_, index) => `k${index}`);
    expect(written(source, { keys }).addresses).toHaveLength(500);
    expect(refusal(source, { keys: [...keys, "more"] }).code).toBe("too_many_resources");
  });
});

describe("a condition", () => {
  const monitor = `
config: { environment: { type: string, enum: [dev, prod] } }
resources:
  node: { type: mock:Server, properties: { plan: '\${environment == "prod" ? "large" : omit()}' } }
  monitor: { type: mock:Server, when: '\${environment == "prod"}', properties: { id: "\${node.id}" } }
  many: { type: mock:Server, when: '\${environment == "prod"}', forEach: [a], properties: {} }
outputs:
  monitor: \${monitor.?id.orValue("none")}
  asked: '\${has(monitor) ? monitor.name : "nobody"}'
  left: '\${has(monitor) ? monitor.name : omit()}'
`;

  it("includes a resource where it is true", () => {
    const { addresses, leftOut, outputs, properties } = written(monitor, { environment: "prod" });
    expect(addresses).toEqual(["node", "monitor", 'many["a"]']);
    expect(leftOut).toEqual([]);
    expect(properties("node")).toEqual({ plan: "large" });
    const name = "name of monitor";
    expect(outputs()).toEqual({ monitor: "monitor", asked: name, left: name });
  });

  it("leaves it out where it is false, and its guarded readers go on", () => {
    const { addresses, leftOut, outputs, properties } = written(monitor, { environment: "dev" });
    expect(addresses).toEqual(["node"]);
    expect(leftOut).toEqual(["monitor", "many"]);
    expect(properties("node")).toEqual({});
    expect(outputs()).toEqual({ monitor: "none", asked: "nobody" });
  });

  it.for([
    ["${node.id == 'x'}", "not_known_yet"],
    ["${secret}", "sealed_value"],
    ["yes", "invalid_condition"],
  ] as const)("by %s is refused", ([when, code]) => {
    const source = `
config: { secret: { type: boolean, secret: true } }
resources:
  node: { type: mock:Server, properties: {} }
  monitor: { type: mock:Server, when: "${when}", properties: {} }
`;
    expect(refusal(source, { secret: true }).code).toBe(code);
  });
});

describe("a component", () => {
  const components = {
    network: `
config: { cidr: string, zones: { type: array, default: [a] } }
variables: { label: "net-\${cidr}" }
resources:
  vpc: { type: mock:Network, properties: { cidr: "\${cidr}", label: "\${label}" } }
  subnet: { type: mock:Subnet, forEach: "\${zones}", properties: { vpc: "\${vpc.id}", zone: "\${each.key}" } }
outputs: { id: "\${vpc.id}", subnets: "\${subnet.transformMap(k, s, s.id)}" }
`,
  };
  const template = `
config: { zones: { type: array, default: [x, y] } }
resources:
  first: { type: mock:Server, properties: {} }
  network:
    component: network
    properties: { cidr: "10.\${first.name}", zones: "\${zones}" }
  node: { type: mock:Server, properties: { network: "\${network.id}", subnet: "\${network.subnets.x}" } }
outputs: { subnets: "\${network.subnets}" }
`;

  it("is written out below its address", () => {
    const { addresses, properties, outputs } = written(template, {}, components);
    expect(addresses).toEqual([
      "first",
      "node",
      "network/vpc",
      'network/subnet["x"]',
      'network/subnet["y"]',
    ]);
    expect(properties("network/vpc")).toEqual({
      cidr: "10.name of first",
      label: "net-10.name of first",
    });
    expect(properties('network/subnet["y"]')).toEqual({ vpc: "network/vpc", zone: "y" });
    expect(properties("node")).toEqual({ network: "network/vpc", subnet: 'network/subnet["x"]' });
    expect(outputs()).toEqual({
      subnets: { x: 'network/subnet["x"]', y: 'network/subnet["y"]' },
    });
  });

  it("depends on the resources in the properties that are read, and its readers on those in its outputs", () => {
    expect(written(template, {}, components).dependencies).toEqual({
      first: [],
      node: ["network/vpc", 'network/subnet["x"]', 'network/subnet["y"]'],
      "network/vpc": ["first"],
      'network/subnet["x"]': ["network/vpc"],
      'network/subnet["y"]': ["network/vpc"],
    });
  });

  it("may be repeated, left out, and waited for", () => {
    const { addresses, dependencies, leftOut } = written(
      `
resources:
  network:
    component: network
    forEach: { eu: "10.0", us: "10.1" }
    properties: { cidr: "\${each.value}" }
  none: { component: network, when: false, properties: { cidr: x } }
  last: { type: mock:Server, properties: {}, options: { dependsOn: ["\${network}", "\${none}"] } }
`,
      {},
      components,
    );
    expect(addresses).toEqual([
      "last",
      'network["eu"]/vpc',
      'network["eu"]/subnet["a"]',
      'network["us"]/vpc',
      'network["us"]/subnet["a"]',
    ]);
    expect(leftOut).toEqual(["none"]);
    expect(dependencies["last"]).toEqual(addresses.slice(1));
  });

  it("may be used twice, one use over the outputs of the other", () => {
    const zoned = `
config: { zones: { type: object } }
resources:
  subnet: { type: mock:Subnet, forEach: "\${zones}", properties: {} }
outputs: { subnets: "\${subnet}" }
`;
    const source = `
resources:
  first: { component: network, properties: { zones: { a: 1 } } }
  second: { component: network, properties: { zones: "\${first.subnets}" } }
`;
    // The later one is laid out first, as by a reader in front of both.
    const reader = `  reader: { type: mock:Server, forEach: "\${second.subnets}", properties: {} }`;
    const { addresses } = written(`${source}${reader}`, {}, { network: zoned });
    expect(addresses).toEqual(['reader["a"]', 'first/subnet["a"]', 'second/subnet["a"]']);
  });

  it("is nested at most five levels deep", () => {
    const inner = { component: "subnet" };
    const source = JSON.stringify({ resources: { network: { component: "network" } } });
    const nested = {
      network: JSON.stringify({ resources: { inner } }),
      subnet: JSON.stringify({ resources: { inner } }),
    };
    expect(() => written(source, {}, nested)).toThrow("nested deeper than 5 levels");
  });

  it("without resources counts too, however deep it is nested", () => {
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}`);
    const many = (component: string) =>
      JSON.stringify({
        resources: { inner: { component, forEach: keys } },
        outputs: { all: "${inner}" },
      });
    const source = JSON.stringify({ resources: { network: { component: "network" } } });
    const nested = { network: many("subnet"), subnet: many("empty"), empty: "outputs: { a: 1 }" };
    expect(() => written(source, {}, nested)).toThrow("more than 1000 resources and components");
  });

  it("with many outputs of outputs is evaluated once for each resource", () => {
    const outputs = (name: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`o${at}`, `\${${name}.o${at}}`]));
    const level = (component: string) =>
      JSON.stringify({ resources: { inner: { component } }, outputs: outputs("inner") });
    const source = JSON.stringify({
      resources: {
        network: { component: "network" },
        node: { type: "mock:Server", properties: { name: "${network.o1}" } },
      },
    });
    const empty = `outputs: ${JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`o${at}`, at])))}`;
    const started = performance.now();
    const { properties } = written(
      source,
      {},
      { network: level("subnet"), subnet: level("empty"), empty },
    );
    expect(properties("node")).toEqual({ name: 1 });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.for(["conditions", "components"] as const)("a long chain of %s is refused", (kind) => {
    const links = Array.from({ length: 400 }, (_, at) => at);
    const resources =
      kind === "conditions"
        ? Object.fromEntries(
            links.map((at) => [
              `r${at}`,
              {
                type: "mock:Server",
                ...(at < 399 ? { when: `\${has(r${at + 1})}` } : {}),
                properties: {},
              },
            ]),
          )
        : {
            last: { type: "mock:Server", properties: { name: "${c399.o}" } },
            ...Object.fromEntries(
              links.map((at) => [
                `c${at}`,
                { component: "network", properties: { x: at === 0 ? "a" : `\${c${at - 1}.o}` } },
              ]),
            ),
          };
    const network = "config: { x: string }\noutputs: { o: '${x}' }\n".replace(
      "string",
      "{ type: string }",
    );
    const compute = () =>
      written(JSON.stringify({ resources }), {}, { network }).properties("last");
    expect(compute).toThrow("in a chain");
  });

  it("checks its properties as an instance's values are checked", () => {
    const source = "resources: { network: { component: network, properties: { cidr: 5 } } }";
    const { properties } = written(source, {}, components);
    expect(() => properties("network/vpc")).toThrow(/property "cidr" .* is not valid/);
  });
});

describe("aliases", () => {
  it("are addresses of former names, keys and parts", () => {
    const { aliases } = written(
      `
resources:
  plain: { type: mock:Server, properties: {}, options: { aliases: [old, { name: node, key: a }, { address: network/vpc }] } }
  node: { type: mock:Server, forEach: [a, b], properties: {}, options: { aliases: [{ name: node }, { name: node, key: b }, { name: was, to: b }] } }
`,
    );
    expect(aliases).toEqual({
      plain: ["old", 'node["a"]', "network/vpc"],
      'node["a"]': ["node"],
      'node["b"]': ["node", "was", 'was["b"]'],
    });
  });

  it("in a loop do nothing while the former key is in it, also where components are repeated", () => {
    const { aliases } = written(
      `
resources:
  node: { type: mock:Server, forEach: [a, z], properties: {}, options: { aliases: [{ name: node, key: a }, { name: node, key: a, to: z }] } }
  net: { component: network, forEach: [a, z], options: { aliases: [{ name: net, key: a }, { name: net, key: a, to: '["z"]' }] } }
`,
      {},
      {
        network: `
resources:
  vpc: { type: mock:Network, properties: {} }
  subnet: { type: mock:Subnet, forEach: [s], properties: {} }
`,
      },
    );
    for (const [address, former] of Object.entries(aliases)) expect(former, address).toEqual([]);
  });

  it("in a loop mean a name that another resource has now, as they do elsewhere", () => {
    const network = `
resources:
  vpc: { type: mock:Network, properties: {} }
  subnet: { type: mock:Subnet, forEach: [s], properties: {} }
`;
    const { aliases } = written(
      `
resources:
  web: { type: mock:Bucket, properties: {} }
  pool: { type: mock:Server, forEach: [a], properties: {}, options: { aliases: [web] } }
  net: { component: network }
  former: { component: network, options: { aliases: [net] } }
`,
      {},
      { network },
    );
    expect(aliases).toMatchObject({
      'pool["a"]': ["web", 'web["a"]'],
      "former/vpc": ["net/vpc"],
      'former/subnet["s"]': ['net/subnet["s"]'],
    });
  });

  it("to a key or a part that does not exist are told", () => {
    const source = `
resources:
  node: { type: mock:Server, forEach: [a], properties: {}, options: { aliases: [{ name: x, to: a }, { name: y, to: z }] } }
  net: { component: network, options: { aliases: [{ address: v, to: vpc }, { address: w, to: vps }] } }
`;
    const network = "resources: { vpc: { type: mock:Network, properties: {} } }";
    expect(written(source, {}, { network }).unmet).toEqual({
      y: 'node["z"]',
      "y[": 'node["z"]',
      w: "net/vps",
      "w[": "net/vps",
      "v[": "net/vpc",
    });
  });

  it.for(["a", '["a"]', "a b", '["a b"]'])("to the key %j of a loop move into its turn", (to) => {
    const option = `options: { aliases: [{ name: old, to: ${JSON.stringify(to)} }] }`;
    const source = `
resources:
  node: { type: mock:Server, forEach: [a, a b], properties: {}, ${option} }
  net: { component: network, forEach: [a, a b], ${option.replace("old", "sole")} }
`;
    const network = "resources: { vpc: { type: mock:Network, properties: {} } }";
    const { aliases, unmet } = written(source, {}, { network });
    const key = to.startsWith("[") ? to : `["${to}"]`;
    expect(aliases[`node${key}`]).toEqual(["old", `old${key}`]);
    expect(aliases[`net${key}/vpc`]).toEqual(["sole/vpc"]);
    expect(Object.values(aliases).flat()).toHaveLength(3);
    // A component has no object of its own.
    expect(unmet).toEqual({ sole: `net${key}`, "sole[": `net${key}` });
  });

  it("by which nothing takes the object are told, although `to` names a loop or a turn", () => {
    const components = {
      loop: "resources: { s: { type: mock:Server, forEach: [a, b], properties: {} } }",
      plain: "resources: { s: { type: mock:Server, properties: {} } }",
    };
    const unmetOf = (use: string, alias: string) =>
      written(`resources: { net: { ${use}, options: { aliases: [${alias}] } } }`, {}, components)
        .unmet;
    // A plain object does not become the turns of a loop.
    expect(unmetOf("component: loop", "{ name: s, to: s }")).toEqual({ s: "net/s" });
    // The turns of a loop do not become a plain object.
    expect(unmetOf("component: plain", "{ name: s, to: s }")).toEqual({ "s[": "net/s" });
    // No object becomes a component.
    expect(unmetOf("component: plain, forEach: [x]", "{ name: s, to: x }")).toMatchObject({
      s: 'net["x"]',
    });
  });

  it("into what a condition leaves out name what it was", () => {
    const use = 'when: "${1 == 2}", options: { aliases: [lan, { name: old, to: vpc }] }';
    const network = "resources: { vpc: { type: mock:Network, properties: {} } }";
    const source = `
resources:
  net: { component: network, ${use} }
  db: { type: mock:Database, when: "\${1 == 2}", options: { aliases: [data] }, properties: {} }
`;
    const { unmet, leftOut } = written(source, {}, { network });
    expect(unmet).toEqual({});
    expect(leftOut.toSorted()).toEqual(["data", "db", "lan", "net", "old"]);
  });

  it("to a key with brackets of its own mean that one", () => {
    const source = (keys: string) =>
      `resources: { node: { type: mock:Server, forEach: ${keys}, properties: {}, options: { aliases: [{ name: old, to: '["a"]' }] } } }`;
    const { aliases } = written(source(`['["a"]', a]`));
    expect(aliases['node["a"]']).toEqual([]);
    expect(aliases['node["[\\"a\\"]"]']).toContain("old");
    expect(written(source("[b]")).unmet).toEqual({
      old: 'node["a"]',
      "old[": 'node["a"]',
    });
  });

  it("to a name below a loop of components name its key, and none inside", () => {
    const source = `
resources:
  net:
    component: network
    forEach: [a]
    options: { aliases: [{ address: v, to: vpc }, { address: w, to: a/vpc }, { address: x, to: '["a"]/vpc' }] }
`;
    const network = "resources: { vpc: { type: mock:Network, properties: {} } }";
    const { aliases, unmet } = written(source, {}, { network });
    expect(aliases).toEqual({ 'net["a"]/vpc': ["x"] });
    expect(unmet).toMatchObject({ v: 'net["vpc"]', w: 'net["a/vpc"]' });
    expect(unmet).not.toHaveProperty("x");
  });

  it("move a loop into a component, and a repeated component into another, with their keys", () => {
    const network = `
resources:
  subnet: { type: mock:Subnet, forEach: [a, b], properties: {} }
  inner: { component: subnet, forEach: [x] }
`;
    const source = `
resources:
  network:
    component: network
    options: { aliases: [{ address: sub, to: subnet }, { address: net, to: inner }] }
`;
    const subnet = "resources: { one: { type: mock:Subnet, properties: {} } }";
    expect(written(source, {}, { network, subnet }).aliases).toEqual({
      'network/subnet["a"]': ['sub["a"]'],
      'network/subnet["b"]': ['sub["b"]'],
      'network/inner["x"]/one': ['net["x"]/one'],
    });
  });

  it("of a renamed loop keep each key", () => {
    const source = (name: string, aliases: string) =>
      `resources: { ${name}: { type: mock:Server, forEach: [a, b], properties: {}, options: { aliases: [${aliases}] } } }`;
    const { aliases } = written(source("s", "n"));
    expect(aliases).toEqual({ 's["a"]': ["n", 'n["a"]'], 's["b"]': ["n", 'n["b"]'] });
  });

  it("inside a component name nothing outside of it", () => {
    const source =
      "resources: { db: { type: mock:Server, properties: {} }, network: { component: network } }";
    const network =
      "resources: { vpc: { type: mock:Server, properties: {}, options: { aliases: [{ address: db }] } } }";
    expect(written(source, {}, { network }).aliases["network/vpc"]).toEqual(["network/db"]);
  });

  it("of a component are those of its parts", () => {
    const { aliases } = written(
      `
resources:
  network:
    component: network
    options: { aliases: [net, { address: subnet, to: subnet }] }
  many:
    component: network
    forEach: [a]
    options: { aliases: [{ name: many, key: z }, { name: single, to: '["a"]/vpc' }] }
`,
      {},
      {
        network: `
resources:
  vpc: { type: mock:Network, properties: {}, options: { aliases: [main] } }
  subnet: { type: mock:Subnet, properties: {} }
`,
      },
    );
    expect(aliases).toEqual({
      "network/vpc": ["network/main", "net/vpc"],
      "network/subnet": ["net/subnet", "subnet"],
      'many["a"]/vpc': ['many["a"]/main', 'many["z"]/vpc', "single"],
      'many["a"]/subnet': ['many["z"]/subnet'],
    });
  });
});
