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
}
