import { instanceAt } from "#importers/draft/scopes/instances.ts";
import type { Path, Scope } from "#importers/draft/scopes/scope.ts";
import type { MappedType } from "#importers/draft/types/mapped-type.ts";
import type { SourceResource } from "#importers/source-module.ts";
import type { TypeFacts } from "#providers/provider.ts";

/** A resource of the source that is in the draft. */
export interface DraftedResource {
  /** Its name in the draft. */
  name: string;
  scope: Scope;
  source: SourceResource;
  mapped: MappedType;
  facts: TypeFacts | undefined;
  /** The part of the source's resource that it represents, if the resource implies several objects: `route[0]`. */
  path?: string;
  /** The scope of the names in its settings, if it differs from its own. */
  settingsFrom?: Scope;
  /** Resources of the source whose properties belong to this one. */
  parts: DraftedResource[];
  /** Further objects that the source's resource implies. */
  beside: DraftedResource[];
}

/** The address of the source's resource from the root module. */
export function addressOf({ scope, source }: Pick<DraftedResource, "scope" | "source">): string {
  return `${scope.prefix}${source.address}`;
}

/** The resources of a draft by the scope of their module and their address in it, including the key of the instance. */
export type DraftedByScope = ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>;

/**
 * The resource that a path below an address reads, with the rest of the path. `failed`: the files decide that it does
 * not exist.
 */
export function draftedAt(
  byScope: DraftedByScope,
  address: string,
  path: Path,
  { home, decided }: Scope,
): { made: DraftedResource | undefined; rest: Path } | "failed" {
  const source = home.resources.get(address);
  const instances = source && decided.instances(source, home);
  if (instances === undefined) return { made: undefined, rest: path };
  const found = instanceAt(instances, path);
  if (found === undefined) return "failed";
  return { made: byScope.get(home)?.get(`${address}${found.key}`), rest: found.rest };
}
