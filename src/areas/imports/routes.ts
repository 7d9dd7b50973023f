import type * as z from "zod";
import { templateView } from "#areas/templates/public.ts";
import { route } from "#http/route.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import { type Import, type ImportPart, importParts } from "#schema/imports.ts";
import {
  createImportEndpoint,
  createTemplateOfImportEndpoint,
  deleteImportEndpoint,
  getImportEndpoint,
  type ImportSummary,
  type ImportView,
  listImportsEndpoint,
} from "./contract.ts";
import { createImport } from "./create-import.ts";
import { createTemplateOfImport } from "./create-template-of-import.ts";
import { deleteImport } from "./delete-import.ts";
import type { ImportPage } from "./import-page.ts";
import { getImport, listImports } from "./read-imports.ts";

export const importRoutes = [
  route(
    createImportEndpoint,
    (call, { body, query }) => createImport(call, body, query),
    importView,
  ),
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
  route(deleteImportEndpoint, (call, { params }) => deleteImport(call, params.id)),
  route(
    createTemplateOfImportEndpoint,
    (call, { params, body }) => createTemplateOfImport(call, params.id, body),
    templateView,
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
  const { nodes, edges, findings, ...lists } = page.lists;
  const { clouds, report } = page.summary;
  // Stored items have the shape that analyse() gave them; tests check every answer against the schema.
  const stored = {
    ...lists,
    clouds,
    graph: { nodes: nodes.map(({ id }) => id), edges },
    report: report === null ? null : { ...report, findings },
    draft: page.draft,
  } as unknown as Omit<
    z.input<typeof ImportView>,
    keyof z.input<typeof ImportSummary> | "counts" | "nextCursors"
  >;
  return {
    ...importSummary(page),
    id: page.isStored ? page.id : null,
    ...stored,
    counts: countsOf(page),
    nextCursors: page.nextCursors,
  };
}

function countsOf({ counts }: Import): Record<ImportPart, number> {
  const entries = importParts.map((part) => [part, counts[part] ?? 0]);
  return Object.fromEntries(entries) as Record<ImportPart, number>;
}
