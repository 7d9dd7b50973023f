import { describe, expect, it } from "vitest";
import { digitaloceanProvider } from "#providers/digitalocean/digitalocean-provider.ts";
import { digitaloceanTypes } from "#providers/digitalocean/types.ts";
import { cloudWithParents, digitaloceanProblems } from "./digitalocean/all-lives.ts";
import { digitaloceanDocument } from "./digitalocean/description.ts";
import { digitaloceanDescription, TOKEN } from "./digitalocean/digitalocean-cloud.ts";
import { samplesOf } from "./digitalocean/samples.ts";
import { diagnosticsOf, mutationsOf, textsIn } from "./type-mutations.ts";

const description = digitaloceanDescription(digitaloceanDocument);

const someParents = {
  vpc: "vpc-1",
  peer: "vpc-2",
  cluster: "cluster-1",
  kubernetes: "kubernetes-1",
  domain: "shop.example",
  project: "project-1",
  droplet: 1,
  volume: "volume-1",
};
const names = Object.keys(samplesOf(someParents));

describe("the types of DigitalOcean", () => {
  it("are the 29 that have a sample", () => {
    expect(digitaloceanTypes.types().toSorted()).toEqual(
      names.map((name) => `digitalocean:${name}`).toSorted(),
    );
    expect(names).toHaveLength(29);
  });

  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await digitaloceanProblems(digitaloceanDocument);
    expect(problems.size).toBe(29);
    for (const [name, found] of problems) expect(found, name).toEqual([]);
  });

  it("name every secret that the cloud shows", async () => {
    const { cloud, parents } = await cloudWithParents(description);
    for (const [name, { properties }] of Object.entries(samplesOf(parents))) {
      const type = `digitalocean:${name}`;
      const call = { type, name: `canary-of-${name}`, properties, token: "t" };
      const made = await digitaloceanProvider().create(cloud.context(), call);
      const outputs = made.kind === "done" ? made.outputs : {};
      const secret = new Set(digitaloceanTypes.facts(type)?.secretOutputs);
      const shown = textsIn(outputs).filter(([, text]) => /canary-[0-9a-f]{8}-/.test(text));
      expect(
        shown.map(([path]) => path).filter((path) => !secret.has(path)),
        name,
      ).toEqual([]);
    }
  });
});

describe("a mistake in a property", () => {
  it.for(names)("of %s is found by the check, with line and column", (name) => {
    const type = `digitalocean:${name}`;
    const sample = samplesOf(someParents)[name]?.properties ?? {};
    expect(diagnosticsOf(digitaloceanTypes, type, sample)).toEqual([]);
    const required = digitaloceanTypes.facts(type)?.required ?? [];
    for (const { what, properties } of mutationsOf(sample, required)) {
      // It may be given by slug or id.
      if (what === "image of a wrong type") continue;
      const [found] = diagnosticsOf(digitaloceanTypes, type, properties);
      expect(found, what).toMatchObject({
        code: expect.stringMatching(/^(unknown_property|property_type|missing_property)$/),
        line: 1,
      });
    }
  });

  it.for(names)("of %s never reaches the cloud", async (name) => {
    const { cloud, parents } = await cloudWithParents(description);
    const sample = samplesOf(parents)[name]?.properties ?? {};
    const type = `digitalocean:${name}`;
    const before = cloud.fake.ledger.length;
    const required = digitaloceanTypes.facts(type)?.required ?? [];
    const mutations = mutationsOf(sample, required);
    expect(mutations.length).toBeGreaterThan(1);
    for (const { what, properties } of mutations) {
      const call = { type, name: "chosen-1", properties, token: "t-1" };
      const outcome = await digitaloceanProvider().create(cloud.context(), call);
      expect(outcome, what).toMatchObject({
        kind: "failed",
        retryable: false,
        unknownOutcome: false,
        code: expect.stringMatching(
          /^(violation|missing_path_value|invalid_path_value|invalid_properties|reserved_value)$/,
        ),
      });
    }
    expect(cloud.fake.ledger).toHaveLength(before);
    expect(cloud.buckets.ledger).toEqual([]);
    expect(JSON.stringify(cloud.violations)).not.toContain(TOKEN);
  });
});
