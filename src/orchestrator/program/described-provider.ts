import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { outside } from "#platform/outside.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { Provider } from "#providers/provider.ts";

/**
 * The provider with the facts of these types from the catalogue, besides its own. Those of the instance's objects are
 * loaded too, for a template may have dropped them. Only a provider with open types has such facts. Throws a failure of
 * the outside when they cannot be read.
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
