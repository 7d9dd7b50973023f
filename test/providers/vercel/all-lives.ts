import type { JsonMap } from "#platform/json.ts";
import { vercelProvider } from "#providers/vercel/vercel-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { vercelDocument } from "./description.ts";
import { parentTypes, type SampleParents, samplesOf, typeOf } from "./samples.ts";
import {
  vercelCloud,
  type VercelDescriptions,
  vercelDescriptions,
  withOurs,
} from "./vercel-cloud.ts";
import { requestsOf } from "./versions.ts";

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

/** The problems of each of the samples against our description, or their requests against the vendor's. */
export async function vercelProblems(
  vendors?: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ours = vercelDescriptions(vercelDocument);
  const { versioned } =
    vendors === undefined ? ours : vercelDescriptions(requestsOf(withOurs(vendors)));
  const { cloud, parents } = await cloudWithParents({ ...ours, versioned });
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(parents))) {
    const life = { type: typeOf(name), ...sample };
    const found = await problemsInLife(vercelProvider(), cloud.context(), life);
    const violations = cloud.violations
      .splice(0)
      .filter(({ side }) => side === "request" || vendors === undefined)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
