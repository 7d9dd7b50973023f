import { describe, expect, it } from "vitest";
import { coreweaveProvider } from "#providers/coreweave/coreweave-provider.ts";
import { coreweaveTypes } from "#providers/coreweave/types.ts";
import { cloudWithCluster } from "./coreweave/all-lives.ts";
import { CANARY, TOKEN } from "./coreweave/coreweave-cloud.ts";
import { samplesOf } from "./coreweave/samples.ts";
import { problemsInLife } from "./type-cycle.ts";
import { diagnosticsOf, mutationsOf, textsIn } from "./type-mutations.ts";

const someParents = { vpc: "vpc-1", cluster: "cluster-1" };
const names = Object.keys(samplesOf(someParents));

describe("the types of CoreWeave", () => {
  it("are the 13 that have a sample, and say that they are a preview", () => {
    expect(coreweaveTypes.types().toSorted()).toEqual(
      names.map((name) => `coreweave:${name}`).toSorted(),
    );
    expect(names).toHaveLength(13);
    for (const type of coreweaveTypes.types())
      expect(coreweaveTypes.facts(type)?.description, type).toContain("(preview)");
  });

  it("live through create, read, change, replace and delete", async () => {
    const { cloud, context, parents } = await cloudWithCluster();
    const before = cloud.living().length;
    for (const [name, sample] of Object.entries(samplesOf(parents))) {
      const life = { type: `coreweave:${name}`, ...sample };
      expect(await problemsInLife(coreweaveProvider(), context, life), name).toEqual([]);
    }
    expect(cloud.violations).toEqual([]);
    expect(cloud.living()).toHaveLength(before);
  });

  it("name every secret that the cloud shows", async () => {
    const { lives, parents } = await cloudWithCluster();
    const shown: string[] = [];
    for (const [name, { properties }] of Object.entries(samplesOf(parents))) {
      const type = `coreweave:${name}`;
      const { outputs } = await lives.create(type, properties);
      const secret = coreweaveTypes.facts(type)?.secretOutputs ?? [];
      for (const [path, text] of textsIn(outputs)) {
        if (!text.includes(CANARY) && text !== btoa("canary-of-the-secret")) continue;
        shown.push(path);
        expect(
          secret.some((one) => path === one || path.startsWith(`${one}.`)),
          path,
        ).toBe(true);
      }
      expect(JSON.stringify(outputs)).not.toContain(TOKEN);
    }
    expect(shown.toSorted()).toEqual(["data.TOKEN", "secretKey"]);
  });

  it.for(names)("of %s: a mistake in a property is found by the check", (name) => {
    const type = `coreweave:${name}`;
    const sample = samplesOf(someParents)[name]?.properties ?? {};
    expect(diagnosticsOf(coreweaveTypes, type, sample)).toEqual([]);
    const required = coreweaveTypes.facts(type)?.required ?? [];
    for (const { what, properties } of mutationsOf(sample, required)) {
      if (what === "without zone") continue;
      const [found] = diagnosticsOf(coreweaveTypes, type, properties);
      expect(found, what).toMatchObject({
        code: expect.stringMatching(/^(unknown_property|property_type|missing_property)$/),
        line: 1,
      });
    }
  });
});
