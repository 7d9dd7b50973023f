import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { outside } from "#platform/outside.ts";
import { type Catalogue, catalogueFor } from "#providers/catalogue/catalogue.ts";
import type { Provider } from "#providers/provider.ts";
import { formatTypeName, isWellFormed, parseTypeName } from "#providers/type-name.ts";

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
  const facts: Provider["facts"] = (type) => catalogue.facts(type) ?? provider.facts(type);
  return { ...atDescribedVersions(provider, catalogue), facts };
}

/** The provider, called with the version of the description where a type that only the catalogue knows names none. */
function atDescribedVersions(provider: Provider, catalogue: Catalogue): Provider {
  const called = <C extends { type: string }>(call: C): C => {
    const name = parseTypeName(call.type);
    const version = catalogue.facts(call.type)?.version;
    if (name === undefined || name.version !== undefined || version === undefined) return call;
    const versioned = { ...name, version };
    // A type with facts of the provider's own has its version there; those of other vendors have none.
    return provider.facts(call.type) === undefined && isWellFormed(versioned)
      ? { ...call, type: formatTypeName(versioned) }
      : call;
  };
  return {
    ...provider,
    create: (context, call) => provider.create(context, called(call)),
    lookUp: (context, call) => provider.lookUp(context, called(call)),
    read: (context, call) => provider.read(context, called(call)),
    update: (context, call) => provider.update(context, called(call)),
    delete: (context, call) => provider.delete(context, called(call)),
    poll: (context, call) => provider.poll(context, called(call)),
    repeats: (context, type) => provider.repeats(context, called({ type }).type),
    timeoutMs: (type, verb) => provider.timeoutMs(called({ type }).type, verb),
  };
}
