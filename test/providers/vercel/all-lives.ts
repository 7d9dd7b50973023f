import type { JsonMap } from "#platform/json.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { parentTypes, type SampleParents, samplesOf, typeOf } from "./samples.ts";
import { vercelCloud, type VercelDescriptions, vercelDescriptions } from "./vercel-cloud.ts";

/** A cloud with one object of every type that others belong to. */
export async function cloudWithParents(
  descriptions: VercelDescriptions,
): Promise<{ cloud: DescribedCloud; parents: SampleParents }> {
  const cloud = vercelCloud(descriptions);
  const lives = new Lives(vercelProvider(), cloud.context());
  const parents: Record<string, string> = {};
  const none = { project: "", config: "" };
  for (const [parent, type] of Object.entries(parentTypes)) {
    const key = type === "Project" ? "name" : "slug";
    const sample = samplesOf(none)[type]?.properties ?? {};
    const made = await lives.create(typeOf(type), { ...sample, [key]: `parent-${parent}` });
    parents[parent] = made.id;
  }
  return { cloud, parents: parents as unknown as SampleParents };
}

/** The problems of each of the samples against a description. */
export async function vercelProblems(
  document: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { cloud, parents } = await cloudWithParents(vercelDescriptions(document));
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(parents))) {
    const life = { type: typeOf(name), ...sample };
    const found = await problemsInLife(vercelProvider(), cloud.context(), life);
    const violations = cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
