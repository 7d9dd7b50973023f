import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { problemsInLife } from "#test/providers/type-cycle.ts";
import { GoogleCloud, type GoogleOptions } from "./google-cloud.ts";
import { addParents, samples } from "./samples.ts";

/** The problems of each type in its life, at a cloud with these further mistakes of bodies. */
export async function gcpProblems(
  options: Pick<GoogleOptions, "mistakes"> = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const problems = new Map<string, string[]>();
  for (const [type, sample] of Object.entries(samples)) {
    const cloud = new GoogleCloud(options);
    addParents(cloud);
    const life = { type: `gcp:${type}`, ...sample };
    const found = await problemsInLife(gcpProvider(), cloud.context(), life);
    problems.set(type, [...found, ...cloud.violations]);
  }
  return problems;
}
