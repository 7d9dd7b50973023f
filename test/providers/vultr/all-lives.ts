import type { JsonMap } from "#platform/json.ts";
import { vultrProvider } from "#providers/vultr/vultr-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import type { Description } from "#test/support/fake-cloud/description.ts";
import type { FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { labelOf, parentTypes, type SampleParents, samplesOf } from "./samples.ts";
import { vultrCloud, vultrDescription } from "./vultr-cloud.ts";

/** A cloud with one object of every type that others belong to. */
export async function cloudWithParents(
  description: Description,
  options: FakeOptions = {},
): Promise<{ cloud: DescribedCloud; parents: SampleParents }> {
  const cloud = vultrCloud(description, options);
  const lives = new Lives(vultrProvider(), cloud.context());
  const parents: Record<string, string> = {};
  for (const [parent, type] of Object.entries(parentTypes)) {
    const sample = samplesOf(parents as unknown as SampleParents)[type]?.properties ?? {};
    const label = parent === "domain" ? "parent.example" : `parent-${parent}`;
    const needed = new Set(["firewall_group_id", "attach_vpc"]);
    const properties = Object.fromEntries(
      Object.entries(sample).filter(([name]) => !needed.has(name)),
    );
    properties[labelOf[type] ?? "label"] = label;
    parents[parent] = (await lives.create(`vultr:${type}`, properties)).id;
  }
  return { cloud, parents: parents as unknown as SampleParents };
}

/** The problems of each of the types against a description. */
export async function vultrProblems(
  document: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { cloud, parents } = await cloudWithParents(vultrDescription(document));
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(parents))) {
    const life = { type: `vultr:${name}`, ...sample };
    const found = await problemsInLife(vultrProvider(), cloud.context(), life);
    const violations = cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
