import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { providerTypes } from "#providers/registry.ts";
import { namedValues } from "./named-values.ts";

const cloud = providerTypes().find(({ name }) => name === "digitalocean");
if (cloud === undefined) throw new Error("There is no DigitalOcean");
const types = cloud.types();
const factsOf = (type: string) => {
  const facts = cloud.facts(type);
  if (facts?.shape === undefined) throw new Error(`${type} has no shape`);
  return { refers: facts.refers ?? {}, shape: facts.shape };
};
const found = (type: string, properties: JsonMap) =>
  namedValues("digitalocean", factsOf(type), properties);

interface Leaf {
  type: string;
  /** In the form of the rows. */
  path: string;
  shape: ValueShape;
  /** Properties that contain only this value. */
  around: (value: Json) => JsonMap;
}

/** Every value of a type, and every map without listed members. */
function leavesOf(type: string): Leaf[] {
  const within = (
    { properties }: ObjectShape,
    path: string,
    around: (value: Json) => JsonMap,
  ): Leaf[] =>
    Object.entries(properties).flatMap(([key, shape]) =>
      at(shape, path === "" ? key : `${path}.${key}`, (value) => around({ [key]: value })),
    );
  const at = (shape: ValueShape, path: string, around: (value: Json) => JsonMap): Leaf[] => {
    if (shape.object !== undefined && Object.keys(shape.object.properties).length > 0)
      return within(shape.object, path, around);
    if (shape.type === "object" && shape.items !== undefined)
      return at(shape.items, `${path}.*`, (value) => around({ "own.example/key": value }));
    if (shape.type === "array" && shape.items !== undefined)
      return at(shape.items, `${path}[*]`, (value) => around([value]));
    return [{ type, path, shape, around }];
  };
  return within(factsOf(type).shape, "", (value) => value as JsonMap);
}

const leaves = types.flatMap(leavesOf);
const short = ({ type, path }: Leaf): string => `${type.split(":")[1]}.${path}`;
const isReferred = ({ type, path }: Leaf): boolean => Object.hasOwn(factsOf(type).refers, path);
const isClosedList = ({ shape }: Leaf): boolean =>
  shape.names === undefined && (shape.type === "boolean" || shape.enum !== undefined);
const isUnlisted = (leaf: Leaf): boolean =>
  leaf.shape.names === undefined && !isClosedList(leaf) && !isReferred(leaf);
const words = new Set<unknown>(["label", "amount", "choice", "address", "content"]);
const isPlain = ({ shape: { names } }: Leaf): boolean => words.has(names);

describe("the properties of DigitalOcean's types, at every depth", () => {
  it("are all listed", () => {
    expect(types).toHaveLength(29);
    expect(leaves.length).toBeGreaterThan(600);
  });

  it("name nothing, or an object of one type, and the others are refused: these", () => {
    expect(leaves.filter(isUnlisted).map(short).toSorted()).toEqual([
      "Cdn.origin",
      "Database.backup_restore.database_name",
      "Database.rules[*].uuid",
      "Database.tags[*]",
      "DatabaseFirewall.rules[*].uuid",
      "DatabaseReplica.tags[*]",
      "Droplet.tags[*]",
      "Firewall.inbound_rules[*].sources.tags[*]",
      "Firewall.outbound_rules[*].destinations.tags[*]",
      "Firewall.tags[*]",
      "Kubernetes.node_pools[*].tags[*]",
      "Kubernetes.sso.client_id",
      "Kubernetes.sso.issuer_url",
      "Kubernetes.tags[*]",
      "Kubernetes.worker_subnet_uuid",
      "LoadBalancer.tag",
      "MonitoringAlert.entities[*]",
      "MonitoringAlert.tags[*]",
      "NodePool.tags[*]",
      "SpacesBucket.policy",
      "SpacesKey.grants[*].bucket",
      "Volume.tags[*]",
      "VolumeSnapshot.tags[*]",
    ]);
    for (const leaf of leaves.filter(isUnlisted))
      expect(found(leaf.type, leaf.around("some-id")).unlisted, short(leaf)).toBeDefined();
  });

  it("do not count as naming nothing if their name suggests an object", () => {
    const speaking =
      /(?:^|[._\]])(?:ids?|uids?|uuids?|urns?|fingerprints?|tags?|buckets?|origin|zones?|snapshots?|clusters?|registr(?:y|ies)|projects?|vpcs?|domains?|volumes?|certificates?|grants?|host|hostname)(?:_id|_ids|_uuid|_name|_names)?(?:\[\*\])*$/;
    const said = new Set(
      leaves.filter((leaf) => isPlain(leaf) && speaking.test(leaf.path)).map(short),
    );
    const parts = ["functions", "jobs", "services", "static_sites", "workers"];
    expect([...said].toSorted()).toEqual(
      [
        // Of images in other registries, which have a credential or are public.
        ...parts.flatMap((part) =>
          ["registry", "tag"].map((name) => `App.spec.${part}[*].image.${name}`),
        ),
        // The text of a certificate.
        "Certificate.leaf_certificate",
        // Of a rule in the user's own cluster.
        "DatabaseUser.settings.acl[*].id",
        // Of a CAA record: `issue`.
        "Record.tag",
        // Of a rule of the bucket itself.
        "SpacesBucket.cors_rules[*].id",
        "SpacesBucket.lifecycle_rules[*].id",
      ].toSorted(),
    );
  });

  it("are amounts where they are numbers", () => {
    const numbers = leaves.filter(
      (leaf) => leaf.shape.type === "integer" || leaf.shape.type === "number",
    );
    const others = numbers.filter(
      (leaf) => leaf.shape.names !== "amount" && !isReferred(leaf) && leaf.shape.enum === undefined,
    );
    expect(others.map(short)).toEqual([]);
  });

  it("are taken as listed, and in no other form", () => {
    const wrong: string[] = [];
    for (const leaf of leaves.filter((one) => isPlain(one) || isClosedList(one))) {
      const plain = leaf.shape.enum?.[0] ?? (leaf.shape.type === "boolean" ? true : "text");
      if (isReferred(leaf)) continue;
      const { unlisted, named } = found(leaf.type, leaf.around(plain));
      if (unlisted !== undefined || named.length > 0)
        wrong.push(`${short(leaf)}: ${JSON.stringify(plain)}`);
      for (const other of [["some-id"], { id: "some-id" }, { "some-id": {} }])
        if (found(leaf.type, leaf.around(other)).unlisted === undefined)
          wrong.push(`${short(leaf)}: ${JSON.stringify(other)}`);
      if (isClosedList(leaf) && found(leaf.type, leaf.around("some-id")).unlisted === undefined)
        wrong.push(`${short(leaf)}: a text`);
    }
    expect(wrong).toEqual([]);
  });

  it("are refused if no row lists them, whatever their value", () => {
    const passed: string[] = [];
    const later = { properties: {}, open: true };
    for (const type of types) {
      const top = found(type, { later_id: "some-id" }).unlisted;
      if (top !== "later_id") passed.push(type);
    }
    const parents = new Map(
      leaves
        .filter(({ path }) => /\.\w+$/.test(path))
        .map((leaf) => [leaf.path.replace(/\.\w+$/, ""), leaf]),
    );
    for (const [path, leaf] of parents)
      for (const value of ["some-id", 1, true, {}, []] as Json[]) {
        const around = JSON.parse(
          JSON.stringify(leaf.around("@")).replace(/"\w+":"@"/, `"later":${JSON.stringify(value)}`),
        ) as JsonMap;
        if (found(leaf.type, around).unlisted === undefined)
          passed.push(`${leaf.type} ${path}: ${JSON.stringify(value)}`);
      }
    expect(parents.size).toBeGreaterThan(100);
    expect(passed).toEqual([]);
    expect(namedValues("digitalocean", { shape: later }, { a: 1 }).unlisted).toBe("a");
    expect(namedValues("digitalocean", undefined, { a: 1 }).unlisted).toBe("a");
    const undeclared = { shape: { properties: { a: { type: "string" } } } } as const;
    expect(namedValues("digitalocean", undeclared, { a: "x" }).unlisted).toBe("a");
  });
});

describe("a value that names", () => {
  const ids = (type: string, properties: JsonMap) =>
    found(type, properties).named.map(({ owners }) => owners.map(({ id }) => id));

  it("a host names its possible zones, the nearest first", () => {
    expect(ids("digitalocean:Certificate", { dns_names: ["*.www.own.example"] })).toEqual([
      ["www.own.example", "own.example", "example"],
    ]);
    expect(ids("digitalocean:Domain", { name: "own.example" })).toEqual([["example"]]);
  });

  it("a zone and every kind of wildcard mean all names inside, and a host does not", () => {
    const around = (type: string, properties: JsonMap) =>
      found(type, properties).named.map((one) => one.around?.id);
    expect(around("digitalocean:Domain", { name: "own.example" })).toEqual(["own.example"]);
    const names = ["www.own.example", "*.own.example"];
    expect(around("digitalocean:Certificate", { dns_names: names })).toEqual([
      undefined,
      "own.example",
    ]);
    const domains = [true, false].map((wildcard) => ({ domain: "own.example", wildcard }));
    expect(around("digitalocean:App", { spec: { domains } })).toEqual(["own.example", undefined]);
  });

  it.each([
    "Own.example",
    "own.example.",
    "own",
    "",
    " own.example",
    "ówn.example",
    "*",
    7,
    "a..b.example",
  ])("the host %j in another spelling is refused", (host) => {
    expect(found("digitalocean:Certificate", { dns_names: [host] }).unlisted).toBe("dns_names[0]");
    expect(found("digitalocean:Domain", { name: host }).unlisted).toBe("name");
  });

  it.each([
    [{ type: "droplet", value: "7" }, "digitalocean:Droplet"],
    [{ type: "k8s", value: "7" }, "digitalocean:Kubernetes"],
    [{ type: "app", value: "7" }, "digitalocean:App"],
    [{ type: "droplet", value: 7 }, "digitalocean:Droplet"],
  ])("%j is an object of the type %s", (rule, type) => {
    expect(found("digitalocean:Database", { rules: [rule] }).named).toMatchObject([
      { owners: [{ type, id: "7" }] },
    ]);
  });

  it.each([
    { type: "tag", value: "web" },
    { type: "toString", value: "web" },
    { value: "web" },
    { type: ["ip_addr"], value: "web" },
  ])("%j is refused", (rule) => {
    expect(found("digitalocean:Database", { rules: [rule] }).unlisted).toBeDefined();
  });

  it("only a public image begins with a letter", () => {
    const image = (value: Json) => found("digitalocean:Droplet", { image: value }).unlisted;
    for (const value of ["debian-13-x64", "ubuntu-24-04-x64", "docker-20-04"])
      expect(image(value)).toBeUndefined();
    for (const value of [7, "7", "7-debian", " debian", "", "debian/../7", ["7"], { id: 7 }])
      expect(image(value)).toBeDefined();
  });
});
