import { fitting, MAX_PAGE_BYTES } from "#http/lists/fitting.ts";
import { closePage, openPage } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import { unpackJson } from "#platform/packed-json.ts";
import {
  type Import,
  type ImportDraft,
  type ImportPart,
  importParts,
  type StoredDraft,
} from "#schema/imports.ts";

/** An import with the first page of each list, or with one page of one list. */
export interface ImportPage extends Import {
  lists: Record<ImportPart, readonly JsonMap[]>;
  /** The requested draft; null: there is none. */
  draft: ImportDraft | null;
  /** False: a dry run, which has no id. */
  isStored: boolean;
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
  { from, limit, draft }: { from: number; limit: number; draft: ImportDraft | null },
): Promise<ImportPage> {
  const page: ImportPage = {
    ...row,
    draft,
    isStored: true,
    lists: {} as ImportPage["lists"],
    nextCursors: {} as ImportPage["nextCursors"],
  };
  const isOne = Object.keys(lists).length === 1;
  let leftBytes = MAX_PAGE_BYTES;
  for (const [at, part] of importParts.entries()) {
    const items = lists[part] ?? [];
    // A short list leaves its bytes to the lists after it.
    const share = leftBytes / (importParts.length - at);
    const fit = fitting(items.slice(0, limit), isOne ? leftBytes : share);
    leftBytes -= fit.bytes;
    const numbered = items.map((item, nth) => ({ id: String(from + nth + 1), item }));
    const { data, nextCursor } = await closePage(
      call,
      { limit: fit.items.length },
      filtersOf(row.id, part),
      numbered,
      ({ item }) => item,
    );
    page.lists[part] = data;
    page.nextCursors[part] = nextCursor;
  }
  return page;
}

export async function unpackDrafts(stored: readonly StoredDraft[]): Promise<ImportDraft[]> {
  return Promise.all(stored.map(async ({ draft }) => (await unpackJson(draft)) as ImportDraft));
}

/**
 * The draft of the root module at this path, by default the first one. Throws `not_found` for a path without a draft.
 */
export function draftOf(
  drafts: readonly ImportDraft[],
  module: string | undefined,
): ImportDraft | null {
  if (module === undefined) return drafts[0] ?? null;
  const draft = drafts.find((one) => one.module === module);
  if (draft !== undefined) return draft;
  throw new ApiError(
    "not_found",
    "This import has no draft of such a module: `drafts` lists them.",
  );
}

function filtersOf(importId: string, part: ImportPart | undefined) {
  return { list: "import", importId, part };
}
