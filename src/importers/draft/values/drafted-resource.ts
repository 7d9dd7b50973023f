import { instanceAt } from "#importers/draft/scopes/instances.ts";
import type { Path, Scope } from "#importers/draft/scopes/scope.ts";
import type { MappedType } from "#importers/draft/types/mapped-type.ts";
import type { SourceResource } from "#importers/source-module.ts";
import type { TypeFacts } from "#providers/provider.ts";

/** A resource of the source that the draft has. */
export interface DraftedResource {
  /** In the draft. */
  name: string;
  scope: Scope;
  source: SourceResource;
  mapped: MappedType;
  facts: TypeFacts | undefined;
  /** What of the source's resource it stands for, if that stands for other objects as well: `route[0]`. */
  path?: string;
  /** Where the names in its settings mean something, if not in its scope. */
  settingsFrom?: Scope;
  /** Resources of the source that are properties of this one. */
  parts: DraftedResource[];
  /** The further objects that the source's resource stands for. */
  beside: DraftedResource[];
}

/** Of the source's resource, from the root module. */
export function addressOf({ scope, source }: Pick<DraftedResource, "scope" | "source">): string {
  return `${scope.prefix}${source.address}`;
}

/** The resources of a draft by the scope of their module and their address in it, with the key of the instance. */
export type DraftedByScope = ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>;

/** The resource that a path below an address reads, and what of it; `failed`: the files decide that there is none. */
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
