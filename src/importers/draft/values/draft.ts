import type { ImportFormatName } from "#importers/format-names.ts";
import type { Place } from "#importers/import-file.ts";

/** Something that the source has and the draft has not. */
export interface DraftGap extends Place {
  address: string;
  /** What of it is left out, in the source's words; null: the whole of it. */
  path: string | null;
  code: GapCode;
  reason: string;
}

export type GapCode =
  | "no_type"
  | "repeated"
  | "not_made"
  | "other_region"
  | "not_adopted"
  | "too_many"
  | "no_property"
  | "not_expressible"
  | "null_default"
  | "refused";

/** A config variable of the draft that stands for a value of the source that only its own tool can compute. */
export interface Unresolved extends Place {
  config: string;
  address: string;
  reason: string;
}

export interface DraftCounts {
  /** Managed resources that the draft has whole, in part, and not at all. */
  mapped: number;
  partlyMapped: number;
  notMapped: number;
}

export interface TypeCoverage extends DraftCounts {
  /** As the source writes it. */
  type: string;
  reasons: string[];
}

/** What becomes of a root module. */
export interface Draft extends DraftCounts {
  /** The path of the root module. */
  module: string;
  format: ImportFormatName;
  /** A template that passes the check; null: nothing in the module could be converted. */
  source: string | null;
  unsupported: DraftGap[];
  unresolved: Unresolved[];
  coverage: TypeCoverage[];
}

export const tooMuch = "The module says more than a draft can have.";

const MAX_NAME = 100;

/** A name of the source as a path shows it. */
export function shownName(name: string): string {
  return (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name).toWellFormed();
}
