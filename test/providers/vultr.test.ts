import { describe, expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { vultrTypes } from "#providers/vultr/types.ts";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import { partOf } from "#test/support/depth.ts";
import { cloudWithParents, vultrProblems } from "./vultr/all-lives.ts";
import { vultrDocument } from "./vultr/description.ts";
import { samplesOf } from "./vultr/samples.ts";
import { API_KEY, vultrDescription } from "./vultr/vultr-cloud.ts";

const description = vultrDescription(vultrDocument);

const someParents = {
  vpc: "vpc-1",
  instance: "instance-1",
  firewall: "firewall-1",
  domain: "shop.example",
  kubernetes: "kubernetes-1",
  database: "database-1",
};
const names = Object.keys(samplesOf(someParents));

describe("the types of Vultr", () => {
  it("are the 19 that have a sample", () => {
    expect(vultrTypes.types().toSorted()).toEqual(names.map((name) => `vultr:${name}`).toSorted());
    expect(names).toHaveLength(19);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await vultrProblems(vultrDocument);
    expect(problems.size).toBe(19);
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

/** Every text with its path; an item of a list is `[*]`. */
function textsIn(value: Json, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, `${path}[*]`));
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    textsIn(item, path === "" ? key : `${path}.${key}`),
  );
}

interface Mutation {
  what: string;
  properties: JsonMap;
}

const wrong = (value: Json): Json => (typeof value === "object" ? "wrong" : { wrong: true });

/** Every way to get one property wrong. */
function mutationsOf(properties: JsonMap, required: readonly string[]): Mutation[] {
  const dropped = required.map((name): Mutation => {
    const { [name]: _, ...rest } = properties;
    return { what: `without ${name}`, properties: rest };
  });
  return Object.entries(properties).reduce((all, [name, value]) => {
    const { [name]: _, ...rest } = properties;
    all.push({ what: `${name} misspelt`, properties: { ...rest, [`${name}x`]: value } });
    all.push({ what: `${name} of a wrong type`, properties: { ...rest, [name]: wrong(value) } });
    return all;
  }, dropped);
}

/** What the check of a template says of a resource. */
function diagnosticsOf(type: string, properties: JsonMap): Diagnostic[] {
  const { template } = parseTemplate(JSON.stringify({ resources: { one: { type, properties } } }));
  if (template === undefined) throw new Error("the template cannot be read");
  return checkTemplate(template, {
    facts: (name) => vultrTypes.facts(name),
    types: () => vultrTypes.types(),
    openProviders: new Set(),
  });
}

describe("a mistake in a property", () => {
  it.for(names)("of %s is found by the check, with line and column", (name) => {
    const type = `vultr:${name}`;
    const sample = samplesOf(someParents)[name]?.properties ?? {};
    expect(diagnosticsOf(type, sample)).toEqual([]);
    const required = vultrTypes.facts(type)?.required ?? [];
    for (const { what, properties } of mutationsOf(sample, required)) {
      const [found] = diagnosticsOf(type, properties);
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
