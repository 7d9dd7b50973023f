import { describe, expect, it } from "vitest";
import { vultrTypes } from "#providers/vultr/types.ts";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import { partOf } from "#test/support/depth.ts";
import { diagnosticsOf, mutationsOf, textsIn } from "./type-mutations.ts";
import { cloudWithParents, vultrProblems } from "./vultr/all-lives.ts";
import { vultrDocument } from "./vultr/description.ts";
import { samplesOf } from "./vultr/samples.ts";
import { API_KEY, vultrDescription } from "./vultr/vultr-cloud.ts";

const description = vultrDescription(vultrDocument);

const someParents = {
  vpc: "vpc-1",
  instance: "instance-1",
  other: "instance-2",
  firewall: "firewall-1",
  domain: "shop.example",
  kubernetes: "kubernetes-1",
  database: "database-1",
  second: "database-2",
};
const names = Object.keys(samplesOf(someParents));

describe("the types of Vultr", () => {
  it("are the 22 that have a sample", () => {
    expect(vultrTypes.types().toSorted()).toEqual(names.map((name) => `vultr:${name}`).toSorted());
    expect(names).toHaveLength(22);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await vultrProblems(vultrDocument);
    expect(problems.size).toBe(22);
    for (const [name, found] of problems) expect(found, name).toEqual([]);
  });

  it("name every secret that the cloud shows", async () => {
    const { cloud, parents } = await cloudWithParents(description);
    for (const [name, { properties }] of Object.entries(samplesOf(parents))) {
      const type = `vultr:${name}`;
      const call = { type, name: `canary-of-${name}`, properties, token: "t" };
      const made = await vultrProvider().create(cloud.context(), call);
      const outputs = made.kind === "done" ? made.outputs : {};
      const secret = new Set(vultrTypes.facts(type)?.secretOutputs);
      const shown = textsIn(outputs).filter(([, text]) => /canary-[0-9a-f]{8}-/.test(text));
      expect(
        shown.map(([path]) => path).filter((path) => !secret.has(path)),
        name,
      ).toEqual([]);
    }
  });
});

describe("the import of a replica", () => {
  const imported = async () => {
    const { cloud, parents } = await cloudWithParents(description);
    const { database, second } = parents;
    const type = "vultr:DatabaseReplica";
    const properties = { database_id: database, region: "ewr", label: "copy" };
    const call = { type, name: "copy", properties, token: "t" };
    const made = await vultrProvider().create(cloud.context(), call);
    const replica = made.kind === "gone" ? "" : (made.id ?? "");
    const read = (id: string, of: string) =>
      vultrProvider().read(cloud.context(), {
        type,
        id,
        properties: { ...properties, database_id: of },
      });
    return { read, replica, database, second };
  };

  it("takes one that its primary lists", async () => {
    const { read, replica, database } = await imported();
    expect(await read(replica, database)).toMatchObject({ kind: "done", id: replica });
  });

  it("refuses the primary itself, which its delete would remove", async () => {
    const { read, database } = await imported();
    expect(await read(database, database)).toMatchObject({
      kind: "failed",
      code: "not_listed",
      retryable: false,
      message: `vultr does not list ${database} as a vultr:DatabaseReplica of this database_id: it is of another type or in another place. Correct the id or database_id.`,
    });
  });

  it("refuses another database, and the replica of another primary", async () => {
    const { read, replica, database, second } = await imported();
    expect(await read(second, database)).toMatchObject({ code: "not_listed" });
    expect(await read(replica, second)).toMatchObject({ code: "not_listed" });
  });

  it("finds none at a primary that is gone", async () => {
    const { read, replica } = await imported();
    expect(await read(replica, "0b8ed7a5-0000-4000-8000-000000000000")).toMatchObject({
      kind: "gone",
    });
  });
});

describe("a mistake in a property", () => {
  it.for(names)("of %s is found by the check, with line and column", (name) => {
    const type = `vultr:${name}`;
    const sample = samplesOf(someParents)[name]?.properties ?? {};
    expect(diagnosticsOf(vultrTypes, type, sample)).toEqual([]);
    const required = vultrTypes.facts(type)?.required ?? [];
    for (const { what, properties } of mutationsOf(sample, required)) {
      const [found] = diagnosticsOf(vultrTypes, type, properties);
      expect(found, what).toMatchObject({
        code: expect.stringMatching(/^(unknown_property|property_type|missing_property)$/),
        line: 1,
      });
    }
  });

  it.for(partOf(names, 3))("of %s never reaches the cloud", async (name) => {
    const { cloud, parents } = await cloudWithParents(description);
    const sample = samplesOf(parents)[name]?.properties ?? {};
    const type = `vultr:${name}`;
    const before = cloud.fake.ledger.length;
    const required = vultrTypes.facts(type)?.required ?? [];
    const mutations = mutationsOf(sample, required);
    expect(mutations.length).toBeGreaterThan(1);
    for (const { what, properties } of mutations) {
      // A create does not take it: the object is there before it is sent.
      if (/^(attached_to_instance|instance_id) of a wrong type$/.test(what)) continue;
      if (name === "DatabaseReplica" && /^(tag|vpc_id) of a wrong type$/.test(what)) continue;
      const call = { type, name: "chosen-1", properties, token: "t-1" };
      const violations = cloud.violations.length;
      const outcome = await vultrProvider().create(cloud.context(), call);
      const isRefused = cloud.violations.length > violations;
      expect(outcome, what).toMatchObject({
        kind: "failed",
        retryable: false,
        unknownOutcome: false,
        code: expect.stringMatching(
          isRefused ? /^http_4/ : /^(missing_path_value|invalid_path_value|reserved_value)$/,
        ),
      });
    }
    expect(cloud.fake.ledger).toHaveLength(before);
    expect(JSON.stringify(cloud.violations)).not.toContain(API_KEY);
  });
});
