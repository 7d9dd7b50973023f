import type { JsonMap } from "#platform/json.ts";
import { magaluProvider } from "#providers/magalu/magalu-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { Description } from "#test/support/fake-cloud/description.ts";
import { type MagaluCloud, magaluCloud, magaluDescription } from "./magalu-cloud.ts";
import { parentTypes, type SampleParents, samplesOf } from "./samples.ts";

/** A cloud with one object of every type that others refer to. */
export async function cloudWithParents(
  description: Description,
): Promise<{ cloud: MagaluCloud; parents: SampleParents }> {
  const cloud = magaluCloud(description);
  const lives = new Lives(magaluProvider(), cloud.context());
  const parents: Record<string, string> = {};
  for (const [parent, type] of Object.entries(parentTypes)) {
    const sample = samplesOf(parents as unknown as SampleParents)[type]?.properties ?? {};
    const made = await lives.create(`magalu:${type}`, { ...sample, name: `parent-${parent}` });
    parents[parent] = made.id;
  }
  return { cloud, parents: parents as unknown as SampleParents };
}

/** The problems of each of the types against a description. */
export async function magaluProblems(
  document: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { cloud, parents } = await cloudWithParents(magaluDescription(document));
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(parents))) {
    const type = `magalu:${name}`;
    const found = await problemsInLife(magaluProvider(), cloud.context(), { type, ...sample });
    const violations = cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
