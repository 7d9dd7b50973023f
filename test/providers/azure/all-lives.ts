import type { Json } from "#platform/json.ts";
import { azureProvider } from "#providers/azure/azure-provider.ts";
import { problemsInLife } from "#test/providers/type-cycle.ts";
import { ArmCloud, type ArmOptions } from "./arm-cloud.ts";
import { bicepShapes } from "./bicep-shapes.ts";
import { azureDescription } from "./description.ts";
import { addParents, samples } from "./samples.ts";

/** The problems of these types, each in its life at a cloud with these shapes; absent: those of our own description. */
export async function azureProblems(
  options: Pick<ArmOptions, "shapes"> = {},
  types: readonly string[] = Object.keys(samples),
): Promise<ReadonlyMap<string, readonly string[]>> {
  const problems = new Map<string, string[]>();
  for (const type of types) {
    const sample = samples[type] ?? { properties: {}, changed: {} };
    const cloud = new ArmCloud(options);
    addParents(cloud);
    const life = { type: `azure:${type}`, ...sample };
    const found = await problemsInLife(azureProvider(), cloud.context(), life);
    problems.set(type, [...found, ...cloud.violations]);
  }
  return problems;
}

/** The same, with the bodies held to Bicep's type files, for the types that they describe. */
export async function azureProblemsOf(
  files: readonly Json[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shapes = new Map(files.flatMap((file) => [...bicepShapes(file)]));
  const problems = await azureProblems({ shapes });
  const described = [...problems].filter(([type]) =>
    shapes.has(`${type}@${azureDescription[type]?.version}`),
  );
  console.log(`azure: ${described.length} of ${problems.size} types are described there`);
  return new Map(described);
}
