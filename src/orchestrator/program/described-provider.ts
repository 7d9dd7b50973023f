import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { outside } from "#platform/outside.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { Provider } from "#providers/provider.ts";

/**
 * The provider with the catalogue's facts of these types, besides its own. The types of the instance's objects are
 * loaded too, since a template may have dropped them. Only a provider with open types has such facts. If they cannot be
 * read, it throws an error that makes the run wait.
 */
export async function describedProvider(
  provider: Provider,
  types: readonly string[],
  { env, resources }: Pick<RunnerParts, "env" | "resources">,
): Promise<Provider> {
  if (!provider.openTypes) return provider;
  const { view } = await resources();
  const stored = [...view.current.values(), ...view.pendingDeletes].map(({ type }) => type);
  const catalogue = await outside(() => catalogueFor([...types, ...stored], env.ASSETS));
  return { ...provider, facts: (type) => catalogue.facts(type) ?? provider.facts(type) };
}
