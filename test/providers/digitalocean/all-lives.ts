import type { JsonMap } from "#platform/json.ts";
import { digitaloceanProvider } from "#providers/digitalocean/digitalocean-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { Description } from "#test/support/fake-cloud/description.ts";
import type { FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import {
  type DigitalOceanCloud,
  digitaloceanCloud,
  digitaloceanDescription,
} from "./digitalocean-cloud.ts";
import { parentTypes, type SampleParents, samplesOf } from "./samples.ts";

/** A cloud with one object of every type that others belong to. */
export async function cloudWithParents(
  description: Description,
  options: FakeOptions = {},
): Promise<{ cloud: DigitalOceanCloud; parents: SampleParents }> {
  const cloud = digitaloceanCloud(description, options);
  const lives = new Lives(digitaloceanProvider(), cloud.context());
  const parents: Record<string, string | number> = {};
  for (const [parent, type] of Object.entries(parentTypes)) {
    const sample = samplesOf(parents as unknown as SampleParents)[type]?.properties ?? {};
    const name = parent === "domain" ? "parent.example" : `parent-${parent}`;
    const properties = Object.fromEntries(
      Object.entries({ ...sample, name }).filter(([, value]) => value !== undefined),
    ) as JsonMap;
    const made = await lives.create(`digitalocean:${type}`, properties);
    parents[parent] = parent === "droplet" ? Number(made.id) : made.id;
  }
  return { cloud, parents: parents as unknown as SampleParents };
}

/** The problems of each of the types against a description. */
export async function digitaloceanProblems(
  document: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { cloud, parents } = await cloudWithParents(digitaloceanDescription(document));
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(parents))) {
    const found = await problemsInLife(digitaloceanProvider(), cloud.context(), {
      type: `digitalocean:${name}`,
      ...sample,
    });
    const violations = cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
