import type { Fact } from "#engine/expressions/reads.ts";
import type { MappedType } from "#importers/draft/types/mapped-type.ts";
import { instanceAt } from "#importers/evaluate/instances.ts";
import type { Loop, Path, Scope } from "#importers/evaluate/scope.ts";
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
  /** The path of the called module, if it is the use of a component. */
  component?: string;
  /** What its condition in the draft states; absent: it has none. */
  holds?: readonly Fact[];
  /** The loop that makes several objects of it. */
  loop?: Loop | undefined;
  /** The part of the source's resource that it represents, if the resource implies several objects: `route[0]`. */
  path?: string;
  /** The scope of the names in its settings, if it differs from its own. */
  settingsFrom?: Scope;
  /** Resources of the source whose properties belong to this one. */
  parts: DraftedResource[];
  /** Further objects that the source's resource implies. */
  beside: DraftedResource[];
}

/** The name of the object in each turn of its loop. */
export function ownReference({ name, loop }: Pick<DraftedResource, "name" | "loop">): string {
  return loop === undefined ? name : `${name}[each.key]`;
}

/** Whether it stands for several objects, or for one under a condition. */
export function isRepeated({ loop, source }: DraftedResource): boolean {
  return loop !== undefined || source.when !== undefined;
}

/** The address of the source's resource from the root module. */
export function addressOf({ scope, source }: Pick<DraftedResource, "scope" | "source">): string {
  return `${scope.prefix}${source.address}`;
}

/** The resources of a draft by the scope of their module and their address in it, including the key of the instance. */
export type DraftedByScope = ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>;

export interface DraftedAt {
  made: DraftedResource | undefined;
  /** The key of one object of a loop. */
  key?: string;
  rest: Path;
}

/**
 * The resource that a path below an address reads, with the rest of the path. `failed`: the files decide that it does
 * not exist.
 */
export function draftedAt(
  byScope: DraftedByScope,
  address: string,
  path: Path,
  { home, decided }: Scope,
): DraftedAt | "failed" {
  const source = home.resources.get(address);
  const own = byScope.get(home);
  const made = own?.get(address);
  const instances = source && decided.instances(source, home);
  if (made?.loop !== undefined || instances === undefined) return inLoop(made, path);
  const found = instanceAt(instances, path);
  if (found === undefined) return "failed";
  return { made: own?.get(`${address}${found.key}`), rest: found.rest };
}

/** An object of a loop, or the one of a condition. */
function inLoop(made: DraftedResource | undefined, path: Path): DraftedAt {
  const [key, ...rest] = path;
  if (made?.loop !== undefined && key !== undefined) return { made, key: String(key), rest };
  const isIndexed = made?.loop === undefined && made?.source.count !== undefined && key === 0;
  return { made, rest: isIndexed ? rest : path };
}
