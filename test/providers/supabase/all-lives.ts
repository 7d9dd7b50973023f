import type { JsonMap } from "#platform/json.ts";
import { supabaseProvider } from "#providers/supabase/supabase-provider.ts";
import { Lives, problemsInLife } from "#test/providers/type-cycle.ts";
import type { Description } from "#test/support/fake-cloud/description.ts";
import type { FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { projectSample, samplesOf } from "./samples.ts";
import { type SupabaseCloud, supabaseCloud, supabaseDescription } from "./supabase-cloud.ts";

/** A cloud with a project, and the project's `ref`. */
export async function cloudWithProject(
  description: Description,
  options: FakeOptions = {},
): Promise<{ cloud: SupabaseCloud; ref: string }> {
  const cloud = supabaseCloud(description, options);
  const made = await new Lives(supabaseProvider(), cloud.context()).create("supabase:Project", {
    ...projectSample,
    name: "the-parent",
  });
  return { cloud, ref: made.id };
}

/** The problems of each of the types against a description. */
export async function supabaseProblems(
  document: JsonMap,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { cloud, ref } = await cloudWithProject(supabaseDescription(document));
  const problems = new Map<string, string[]>();
  for (const [name, sample] of Object.entries(samplesOf(ref))) {
    const life = { type: `supabase:${name}`, ...sample };
    const found = await problemsInLife(supabaseProvider(), cloud.context(), life);
    const violations = cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `${side} of ${of}: ${problem}`);
    problems.set(name, [...found, ...violations]);
  }
  return problems;
}
