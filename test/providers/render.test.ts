import { describe, expect, it } from "vitest";
import { renderProvider } from "#providers/render/render-provider.ts";
import { renderTypes } from "#providers/render/types.ts";
import { cloudWithParents, renderProblems } from "./render/all-lives.ts";
import { renderDocument } from "./render/description.ts";
import { renderDescription, TOKEN } from "./render/render-cloud.ts";
import { samplesOf, typeOf } from "./render/samples.ts";
import { diagnosticsOf, takenMistakes, unfoundMistakes } from "./type-mutations.ts";

describe("the types of Render", () => {
  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await renderProblems(renderDocument);
    expect(renderTypes.types()).toHaveLength(14);
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});

describe("a mistake in a property", () => {
  it("is found by the check, with line and column, and reaches no object at Render", async () => {
    const { cloud, parents } = await cloudWithParents(renderDescription(renderDocument));
    const before = cloud.fake.ledger.length;
    const taken: string[] = [];
    for (const [name, { properties }] of Object.entries(samplesOf(parents))) {
      const type = typeOf(name);
      expect(diagnosticsOf(renderTypes, type, properties), name).toEqual([]);
      expect(unfoundMistakes(renderTypes, type, properties), name).toEqual([]);
      const of = { type, properties };
      const found = await takenMistakes(renderProvider(), cloud.context(), of);
      taken.push(...found.map((what) => `${name} ${what}`));
    }
    // The engine sets it. The check alone finds these.
    expect(taken).toEqual(["CustomDomain without name"]);
    expect(cloud.fake.ledger).toHaveLength(before + taken.length);
    expect(JSON.stringify(cloud.violations)).not.toContain(TOKEN);
  });
});
