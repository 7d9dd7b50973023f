import type { ImportFormatName } from "#importers/format-names.ts";
import type { Place } from "#importers/import-file.ts";

/** A part of the source that the draft lacks. */
export interface DraftGap extends Place {
  address: string;
  /** The path of the missing part in the source's words; null for the whole. */
  path: string | null;
  code: GapCode;
  reason: string;
}

export type GapCode =
  | "no_type"
  | "no_module"
  | "component"
  | "repeated"
  | "not_made"
  | "other_region"
  | "not_adopted"
  | "too_many"
  | "no_property"
  | "not_expressible"
  | "null_default"
  | "refused";

/** A config variable of the draft for a value that only the source's own tool can compute. */
export interface Unresolved extends Place {
  config: string;
  address: string;
  reason: string;
}

export interface DraftCounts {
  /** The numbers of managed resources that the draft has fully, partly, and not at all. */
  mapped: number;
  partlyMapped: number;
  notMapped: number;
}

export interface TypeCoverage extends DraftCounts {
  /** In the source's words. */
  type: string;
  reasons: string[];
}

/** The draft of a root module. */
export interface Draft extends DraftCounts {
  /** The path of the root module. */
  module: string;
  format: ImportFormatName;
  /** A template that passes the check; null if no part of the module could be converted. */
  source: string | null;
  unsupported: DraftGap[];
  unresolved: Unresolved[];
  coverage: TypeCoverage[];
  /** The release of its template, if other drafts use it as a component. */
  release?: string;
}

export const tooMuch = "The module says more than a draft can have.";

const MAX_NAME = 100;

/** A name of the source, cut for display in a path. */
export function shownName(name: string): string {
  return (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name).toWellFormed();
}
