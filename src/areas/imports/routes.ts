import type * as z from "zod";
import { route } from "#http/route.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import { type Import, type ImportPart, importParts } from "#schema/imports.ts";
import {
  createImportEndpoint,
  getImportEndpoint,
  type ImportSummary,
  type ImportView,
  listImportsEndpoint,
} from "./contract.ts";
import { createImport } from "./create-import.ts";
import type { ImportPage } from "./import-page.ts";
import { getImport, listImports } from "./read-imports.ts";

export const importRoutes = [
  route(createImportEndpoint, (call, { body }) => createImport(call, body), importView),
  route(
    listImportsEndpoint,
    (call, { query }) => listImports(call, query, importSummary),
    (page) => page,
  ),
  route(
    getImportEndpoint,
    (call, { params, query }) => getImport(call, params.id, query),
    importView,
  ),
];

function importSummary(row: Import): z.input<typeof ImportSummary> {
  return {
    id: row.id,
    tenantId: tenantIdView(row.tenantId),
    state: row.state,
    formats: [...row.formats],
    progress: row.progress,
    createdAt: timestamp(row.createdAtMs),
  };
}

function importView(page: ImportPage): z.input<typeof ImportView> {
  return {
    ...importSummary(page),
    // The lists have the shape that analyse() gave them; tests check every answer against the schema.
    ...(page.lists as unknown as Pick<z.input<typeof ImportView>, keyof ImportPage["lists"]>),
    clouds: [],
    graph: { nodes: [], edges: [] },
    report: null,
    draft: null,
    counts: countsOf(page),
    nextCursors: page.nextCursors,
  };
}

function countsOf({ counts }: Import): Record<ImportPart, number> {
  const entries = importParts.map((part) => [part, counts[part] ?? 0]);
  return Object.fromEntries(entries) as Record<ImportPart, number>;
}
