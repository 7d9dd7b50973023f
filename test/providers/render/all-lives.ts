import type { JsonMap } from "#platform/json.ts";
import { renderProvider } from "#providers/render/render-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { Description } from "#test/support/fake-cloud/description.ts";
import { type RenderCloud, renderCloud, renderDescription } from "./render-cloud.ts";
import { parentTypes, type SampleParents, samplesOf, typeOf } from "./samples.ts";

/** A cloud with one object of every type that others belong to. */
export async function cloudWithParents(
  description: Description,
): Promise<{ cloud: RenderCloud; parents: SampleParents }> {
  const cloud = renderCloud(description);
  const lives = new Lives(renderProvider(), cloud.context());
  const parents: Record<string, string> = {};
  for (const [parent, type] of Object.entries(parentTypes)) {
    const sample = samplesOf(parents as unknown as SampleParents)[type]?.properties ?? {};
    const made = await lives.create(typeOf(type), { ...sample, name: `parent-${parent}` });
    parents[parent] = made.id;
  }
  return { cloud, parents: parents as unknown as SampleParents };
}

/** The problems of each of the samples against a description. */
export async function renderProblems(
  document: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { cloud, parents } = await cloudWithParents(renderDescription(document));
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(parents))) {
    const life = { type: typeOf(name), ...sample };
    const found = await problemsInLife(renderProvider(), cloud.context(), life);
    const violations = cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
