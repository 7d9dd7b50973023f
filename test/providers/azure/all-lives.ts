import { azureProvider } from "#providers/azure/azure-provider.ts";
import { problemsInLife } from "#test/providers/type-cycle.ts";
import { ArmCloud, type ArmOptions } from "./arm-cloud.ts";
import { addParents, samples } from "./samples.ts";

/** The problems of each type in its life at a cloud with these shapes; absent: those of our own description. */
export async function azureProblems(
  options: Pick<ArmOptions, "shapes"> = {},
): Promise<ReadonlyMap<string, readonly string[]>> {
  const problems = new Map<string, string[]>();
  for (const [type, sample] of Object.entries(samples)) {
    const cloud = new ArmCloud(options);
    addParents(cloud);
    const life = { type: `azure:${type}`, ...sample };
    const found = await problemsInLife(azureProvider, cloud.context(), life);
    problems.set(type, [...found, ...cloud.violations]);
  }
  return problems;
}
