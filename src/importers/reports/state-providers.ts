import type {
  SourceProvider,
  SourceProviderAlias,
  SourceResource,
} from "#importers/source-module.ts";
import type { StateResource } from "./state-resources.ts";
import { providerNameOf } from "./terraform-address.ts";

/** The providers that the resources of a state name, with their aliases and without settings. */
export function providersOf(
  resources: readonly SourceResource[],
  instances: readonly StateResource[],
): readonly SourceProvider[] {
  const providers = new Map<string, SourceProvider & { aliases: SourceProviderAlias[] }>();
  const seen = new Set<string>();
  for (const [at, { provider: written }] of instances.entries()) {
    const { file = "", line = 1 } = resources[at] ?? {};
    const named = seen.has(written) ? undefined : providerNameOf(written);
    seen.add(written);
    if (named === undefined) continue;
    const { name, source, alias } = named;
    const provider = providers.get(name) ?? {
      name,
      source,
      constraints: [],
      aliases: [],
      settings: null,
      file,
      line,
    };
    providers.set(name, provider);
    if (alias !== null && !seen.has(`${name}.${alias}`)) {
      seen.add(`${name}.${alias}`);
      provider.aliases.push({
        name: alias,
        settings: { kind: "object", members: [] },
        file,
        line,
      });
    }
  }
  return [...providers.values()];
}
