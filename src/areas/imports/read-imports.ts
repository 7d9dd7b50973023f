import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { JsonMap } from "#platform/json.ts";
import { unpackJson } from "#platform/packed-json.ts";
import type { Import, ImportPart } from "#schema/imports.ts";
import { draftOf, type ImportPage, importPage, startOf, unpackDrafts } from "./import-page.ts";
import { ITEMS_A_CHUNK } from "./packed-list.ts";
import { findDraft, findImport, findImports, findParts, type ImportFilters } from "./store.ts";

export async function getImport(
  call: Call,
  id: string,
  query: {
    part?: ImportPart | undefined;
    cursor?: string | undefined;
    module?: string | undefined;
    limit: number;
  },
): Promise<ImportPage> {
  const { part, limit } = query;
  const from = await startOf(call, id, query);
  const [row, chunks, drafts] = await call.read(
    one(findImport(call, id), "import"),
    findParts(call, id, { part, from, limit: limit + 1 }),
    findDraft(call, id, query.module),
  );
  const lists: Partial<Record<ImportPart, JsonMap[]>> = {};
  for (const chunk of chunks)
    (lists[chunk.part] ??= []).push(...((await unpackJson(chunk.items)) as JsonMap[]));
  const skipped = from % ITEMS_A_CHUNK;
  if (part !== undefined) lists[part] = (lists[part] ?? []).slice(skipped);
  const draft = draftOf(await unpackDrafts(drafts), query.module);
  return importPage(call, row, lists, { from, limit, draft });
}

export async function listImports<V>(
  call: Call,
  query: ImportFilters & PageQuery,
  view: (row: Import) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, ...filters } = query;
  const signed = { list: "imports", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findImports(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
