import { describe, expect, it } from "vitest";
import { vercelTypes } from "#providers/vercel/types.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import { diagnosticsOf, takenMistakes, unfoundMistakes } from "./type-mutations.ts";
import { cloudWithParents, vercelProblems } from "./vercel/all-lives.ts";
import { vercelDocument } from "./vercel/description.ts";
import { samplesOf, typeOf } from "./vercel/samples.ts";
import { TOKEN, vercelDescriptions } from "./vercel/vercel-cloud.ts";

describe("the types of Vercel", () => {
  it("live through create, read, change, replace and delete as described", async () => {
    const problems = await vercelProblems();
    expect(vercelTypes.types()).toHaveLength(13);
    for (const [name, found] of problems) expect.soft(found, name).toEqual([]);
  });
});

describe("a mistake in a property", () => {
  it("is found by the check, with line and column, and reaches no object at Vercel", async () => {
    const { cloud, parents } = await cloudWithParents(vercelDescriptions(vercelDocument));
    const before = cloud.fake.ledger.length;
    const taken: string[] = [];
    for (const [name, { properties }] of Object.entries(samplesOf(parents))) {
      const type = typeOf(name);
      expect(diagnosticsOf(vercelTypes, type, properties), name).toEqual([]);
      expect(unfoundMistakes(vercelTypes, type, properties), name).toEqual([]);
      const of = { type, properties };
      const found = await takenMistakes(vercelProvider(), cloud.context(), of);
      taken.push(...found.map((what) => `${name} ${what}`));
    }
    // The check alone finds these: a property sent after the create, the name, which the engine sets, and one that Vercel
    // does not require.
    expect(taken).toEqual([
      "Project gitForkProtection of a wrong type",
      "ProjectDomain without name",
      "Certificate without cns",
    ]);
    expect(cloud.fake.ledger).toHaveLength(before + taken.length);
    expect(JSON.stringify(cloud.violations)).not.toContain(TOKEN);
  });
});
