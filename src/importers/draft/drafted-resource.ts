import type { SourceResource } from "#importers/source-module.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { MappedType } from "./mapped-type.ts";
import type { Scope } from "./scopes.ts";

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
