import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";

export const importStates = ["COMPLETED", "COMPLETED_WITH_WARNINGS", "FAILED"] as const;
export type ImportState = (typeof importStates)[number];

/** The lists of an import that can be long, stored and read in pages. */
export const importParts = [
  "files",
  "modules",
  "resources",
  "variables",
  "outputs",
  "moduleCalls",
  "providers",
  "nodes",
  "edges",
  "findings",
  "drafts",
  "coverage",
  "warnings",
] as const;
export type ImportPart = (typeof importParts)[number];

/** The members of an import's answer that are always complete. */
export interface ImportSummary {
  clouds: readonly JsonMap[];
  /** Of the recognized report, whose findings are a list. */
  report: { kind: string; summary: JsonMap } | null;
}

/** Number of files by result. `total` is the sum of the others. */
export interface ImportProgress {
  total: number;
  parsed: number;
  failed: number;
  skipped: number;
}

export const imports = sqliteTable(
  "imports",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    state: text().$type<ImportState>().notNull(),
    formats: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    progress: text({ mode: "json" }).$type<ImportProgress>().notNull(),
    summary: text({ mode: "json" })
      .$type<ImportSummary>()
      .notNull()
      .default({ clouds: [], report: null }),
    /** The length of each list; the items are in import_parts. */
    counts: text({ mode: "json" }).$type<{ [part in ImportPart]?: number }>().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
  },
  (t) => [index("imports_by_tenant").on(t.tenantId, t.id)],
);

/**
 * The long lists, at most one hundred items per row, so that row size does not grow with the import. Packed, because
 * each item repeats its folder's name.
 */
export const importPartsTable = sqliteTable(
  "import_parts",
  {
    tenantId: text().notNull(),
    importId: text().notNull(),
    part: text().$type<ImportPart>().notNull(),
    chunk: integer().notNull(),
    /** Packed by `packJson`. */
    items: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.importId, t.part, t.chunk] })],
);

/** A draft template and its omissions, as in answers. */
export type ImportDraft = JsonMap & {
  module: string;
  source: string;
  /** Of the template that is made of it, if other drafts use it as a component. */
  release?: string;
};

/** The draft template of each root module, one per row, since each may be as long as a template. */
export const importDrafts = sqliteTable(
  "import_drafts",
  {
    tenantId: text().notNull(),
    importId: text().notNull(),
    /** The path of the root module. */
    module: text().notNull(),
    /** Its place among the drafts, from 0. */
    place: integer().notNull(),
    /** Packed by `packJson`. */
    draft: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.importId, t.module] })],
);

export type StoredDraft = typeof importDrafts.$inferSelect;
export type Import = typeof imports.$inferSelect;
