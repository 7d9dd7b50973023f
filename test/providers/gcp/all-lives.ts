import type { Json } from "#platform/json.ts";
import { gcpProvider } from "#providers/gcp/gcp-provider.ts";
import { problemsInLife } from "#test/providers/type-cycle.ts";
import { GoogleCloud, type GoogleOptions } from "./google-cloud.ts";
import { addParents, samples } from "./samples.ts";
import { unknownCalls } from "./vendor-calls.ts";
import { vendorMistakes } from "./vendor-mistakes.ts";

/** The problems of each type in its life, at a cloud with these further mistakes of bodies and calls. */
export async function gcpProblems(
  options: Pick<GoogleOptions, "mistakes"> = {},
  unknown: (requests: readonly string[]) => string[] = () => [],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const problems = new Map<string, string[]>();
  for (const [type, sample] of Object.entries(samples)) {
    const found: string[] = [];
    for (const one of [sample, ...(sample.more ?? [])]) {
      const cloud = new GoogleCloud(options);
      addParents(cloud);
      const life = { type: `gcp:${type}`, ...one };
      found.push(
        ...(await problemsInLife(gcpProvider(), cloud.context(), life)),
        ...cloud.violations,
        ...unknown(cloud.requests),
      );
    }
    problems.set(type, found);
  }
  return problems;
}

/** The same, with bodies and calls held to Google's own descriptions, for the types that these files describe. */
export async function gcpProblemsOf(
  files: readonly Json[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const mistakes = vendorMistakes(files);
  const problems = await gcpProblems(
    { mistakes: (type, body) => mistakes(type, body) ?? [] },
    unknownCalls(files),
  );
  const described = [...problems].filter(([type]) => mistakes(type, {}) !== undefined);
  console.log(`gcp: ${described.length} of ${problems.size} types are described there`);
  return new Map(described);
}
