import { sql } from "drizzle-orm";
import { among, type ListFilters, onePage } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import type { Call } from "#kernel/call/call.ts";
import type { RowWrite } from "#kernel/call/unit-of-work.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import {
  type Import,
  type ImportPart,
  importDrafts,
  importPartsTable,
  imports,
} from "#schema/imports.ts";
import type { PackedImport } from "./pack-import.ts";
import { ITEMS_A_CHUNK } from "./packed-list.ts";

const selectImports = selectFrom(imports);

export function findImport(call: Call, id: string) {
  return selectImports.where(sql`${imports.id} = ${id} AND ${call.inScope(imports.tenantId)}`);
}

export interface ImportFilters extends Pick<
  ListFilters,
  "tenantId" | "createdAfter" | "createdBefore"
> {
  state?: readonly string[] | undefined;
}

/** One more than the page holds, newest first. */
export function findImports(call: Call, page: PageRequest, filters: ImportFilters) {
  const conditions = among(imports.state, filters.state);
  return selectImports.where(
    rowsInScope(call, imports, page, filters, { conditions }),
    onePage(imports, page),
  );
}

/**
 * The chunks that hold `limit` items of one list, starting at `from`; without `part`, the first chunks of
 * every list.
 */
export function findParts(
  call: Call,
  importId: string,
  range: { part?: ImportPart | undefined; from: number; limit: number },
) {
  const t = importPartsTable;
  const first = Math.floor(range.from / ITEMS_A_CHUNK);
  const last = Math.floor((range.from + range.limit - 1) / ITEMS_A_CHUNK);
  return call.db
    .select({ part: t.part, chunk: t.chunk, items: t.items })
    .from(t)
    .where(
      sql`${t.tenantId} = (SELECT ${imports.tenantId} FROM ${imports}
          WHERE ${imports.id} = ${importId} AND ${call.inScope(imports.tenantId)})
        AND ${t.importId} = ${importId}
        AND ${range.part === undefined ? sql`1` : sql`${t.part} = ${range.part}`}
        AND ${t.chunk} BETWEEN ${first} AND ${last}`,
    )
    .orderBy(t.part, t.chunk);
}

/** The draft of a root module, by default the first one; no row: the import or the draft does not exist. */
export function findDraft(call: Call, importId: string, module: string | undefined) {
  const t = importDrafts;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${t.tenantId} = (SELECT ${imports.tenantId} FROM ${imports}
          WHERE ${imports.id} = ${importId} AND ${call.inScope(imports.tenantId)})
        AND ${t.importId} = ${importId}
        AND ${module === undefined ? sql`${t.place} = 0` : sql`${t.module} = ${module}`}`,
    );
}

export function putImport(
  call: Call,
  made: Import,
  { chunks, drafts }: Pick<PackedImport, "chunks" | "drafts">,
): RowWrite[] {
  const { tenantId, id: importId } = made;
  const owner = { tenantId, importId };
  return [
    call.write(tenantId, call.db.insert(imports).values(made)),
    ...grouped(chunks).map((group) =>
      call.write(
        tenantId,
        call.db.insert(importPartsTable).values(group.map((one) => ({ ...owner, ...one }))),
      ),
    ),
    ...grouped(drafts).map((group) =>
      call.write(
        tenantId,
        call.db.insert(importDrafts).values(group.map((one) => ({ ...owner, ...one }))),
      ),
    ),
  ];
}

/** The statements that remove an import with its lists and drafts. */
export function removeImport(call: Call, { tenantId, id }: Import): RowWrite[] {
  return [
    call.write(
      tenantId,
      call.db
        .delete(importPartsTable)
        .where(
          sql`${importPartsTable.tenantId} = ${tenantId} AND ${importPartsTable.importId} = ${id}`,
        ),
    ),
    call.write(
      tenantId,
      call.db
        .delete(importDrafts)
        .where(sql`${importDrafts.tenantId} = ${tenantId} AND ${importDrafts.importId} = ${id}`),
    ),
    call.write(
      tenantId,
      call.db
        .delete(imports)
        .where(sql`${imports.id} = ${id} AND ${imports.tenantId} = ${tenantId}`),
    ),
  ];
}

/** Rows of five columns: D1 binds at most a hundred values in a statement. */
const ROWS_A_STATEMENT = 20;

function grouped<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_A_STATEMENT) }, (_, at) =>
    rows.slice(at * ROWS_A_STATEMENT, (at + 1) * ROWS_A_STATEMENT),
  );
}
