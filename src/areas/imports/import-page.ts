import { closePage, openPage } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import { type Import, type ImportPart, importParts } from "#schema/imports.ts";

/** An import with the first page of each list, or with one page of one list. */
export interface ImportPage extends Import {
  lists: Record<ImportPart, readonly JsonMap[]>;
  nextCursors: Record<ImportPart, string | null>;
}

/** The index in its list at which a cursor continues. Throws `invalid_cursor` for a cursor of another list. */
export async function startOf(
  call: Call,
  importId: string,
  query: { part?: ImportPart | undefined; cursor?: string | undefined; limit: number },
): Promise<number> {
  if (query.cursor !== undefined && query.part === undefined) {
    await call.authenticate();
    throw new ApiError(
      "invalid_cursor",
      "A cursor belongs to one list: name the list with `part`.",
    );
  }
  const { afterId } = await openPage(call, query, filtersOf(importId, query.part));
  return afterId === undefined ? 0 : Number(afterId);
}

export async function importPage(
  call: Call,
  row: Import,
  lists: Partial<Record<ImportPart, readonly JsonMap[]>>,
  { from, limit }: { from: number; limit: number },
): Promise<ImportPage> {
  const page: ImportPage = {
    ...row,
    lists: {} as ImportPage["lists"],
    nextCursors: {} as ImportPage["nextCursors"],
  };
  for (const part of importParts) {
    const items = lists[part] ?? [];
    const numbered = items.map((item, at) => ({ id: String(from + at + 1), item }));
    const { data, nextCursor } = await closePage(
      call,
      { limit },
      filtersOf(row.id, part),
      numbered,
      ({ item }) => item,
    );
    page.lists[part] = data;
    page.nextCursors[part] = nextCursor;
  }
  return page;
}

function filtersOf(importId: string, part: ImportPart | undefined) {
  return { list: "import", importId, part };
}
