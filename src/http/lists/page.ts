/**
 * Pages of every list: newest first, by id, which sorts by time, unless the query sorts otherwise. A cursor holds the
 * last row's id and sort key. Its signature also covers the filters and the order, so a changed cursor, or the cursor
 * of another list or order, is rejected.
 */
import { base64url } from "oslo/encoding";
import * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { constantTimeEqual } from "#platform/crypto/digest.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { prose } from "#platform/prose.ts";
import { fitting, MAX_PAGE_BYTES } from "./fitting.ts";
import type { Sort, SortKey } from "./list-query.ts";

/** Digits only: Number() would also take `1e2`, `0x10` and an empty value. */
export function limitOf(fallback: number, description: string) {
  return z
    .string()
    .refine((text) => /^(?:[1-9]\d?|100)$/.test(text), "It must be a whole number from 1 to 100.")
    .transform(Number)
    .default(fallback)
    .meta({ type: "integer", minimum: 1, maximum: 100, default: fallback, description });
}

/** The query parameters every list takes. */
export const pageQuery = {
  limit: limitOf(20, "Maximum items per page (1–100)."),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe(prose("`nextCursor` of the previous page. Default: the first page.")),
};

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

const NextCursor = z
  .string()
  .nullable()
  .describe(prose("The `cursor` of the next page. Null: this is the last page."));

/** The body of a list's answer. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe(prose("The items of this page.")),
    nextCursor: NextCursor,
  });
}

/** The answer of a list that has one page. */
export function wholeListOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe(prose("All items.")),
    nextCursor: z.null().describe(prose("Null: there is one page.")),
  });
}

/** The part of a list's query about its page. */
export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
  sort?: Sort | undefined;
}

export interface PageRequest {
  limit: number;
  /** Default: newest first. */
  sort?: Sort | undefined;
  /** The page starts after the row with this id. */
  afterId?: string;
  /** The row's sort key, unless it is the id. */
  afterKey?: string | number;
}

/** The column of each sort key; undefined: the id. */
export const sortColumns = {
  createdAt: undefined,
  updatedAt: "updatedAtMs",
  name: "name",
  title: "sortTitle",
} as const satisfies Record<SortKey, string | undefined>;

/** The parts of a sort order. */
export function sortOf({ sort = "-createdAt" }: Pick<PageRequest, "sort">): {
  descends: boolean;
  column: (typeof sortColumns)[SortKey];
} {
  const descends = sort.startsWith("-");
  return { descends, column: sortColumns[sort.slice(descends ? 1 : 0) as SortKey] };
}

/** The place in the order after which the next page starts, as the cursor holds it. */
type Place = readonly [id: string, key?: string | number];

/**
 * Verifies and decodes the cursor; throws `invalid_cursor`. `filters`: everything that selects the rows of
 * the list.
 */
export async function openPage(
  call: Call,
  query: PageQuery,
  filters: Readonly<Record<string, unknown>>,
): Promise<PageRequest> {
  const page = { limit: query.limit, sort: query.sort };
  if (query.cursor === undefined) return page;
  const [encoded, signature, ...rest] = query.cursor.split(".");
  const genuine =
    encoded !== undefined &&
    signature !== undefined &&
    rest.length === 0 &&
    constantTimeEqual(await signCursor(call, encoded, { ...filters, sort: page.sort }), signature);
  if (!genuine) {
    await call.authenticate();
    throw badCursor();
  }
  const text = new TextDecoder().decode(base64url.decode(encoded, { strict: false }));
  const [afterId, afterKey] = JSON.parse(text) as Place;
  return { ...page, afterId, ...(afterKey === undefined ? {} : { afterKey }) };
}

/**
 * The page of `rows`. The caller reads `limit + 1` rows: the extra row shows that there is a next page. A page ends early
 * where its items would be larger than `MAX_PAGE_BYTES`.
 */
export async function closePage<R extends { id: string }, V>(
  call: Call,
  page: PageRequest,
  filters: Readonly<Record<string, unknown>>,
  rows: readonly R[],
  view: (row: R) => V,
): Promise<Page<V>> {
  const { items: data } = fitting(viewed(rows.slice(0, page.limit), view), MAX_PAGE_BYTES);
  const last = rows[data.length - 1];
  const more = rows.length > data.length && last !== undefined;
  return {
    data,
    nextCursor: more
      ? await makeCursor(call, placeOf(last, page), { ...filters, sort: page.sort })
      : null,
  };
}

/** Lazy: rows beyond the limit of bytes get no view. */
function* viewed<R, V>(rows: readonly R[], view: (row: R) => V): Generator<V> {
  for (const row of rows) yield view(row);
}

function placeOf(row: { id: string }, page: PageRequest): Place {
  const { column } = sortOf(page);
  if (column === undefined) return [row.id];
  const key = (row as Partial<Record<typeof column, string | number>>)[column];
  if (key === undefined) throw new Error(`The list is sorted by ${column}, which its rows lack`);
  return [row.id, key];
}

async function makeCursor(
  call: Call,
  place: Place,
  filters: Readonly<Record<string, unknown>>,
): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(place));
  const encoded = base64url.encode(text, { includePadding: false });
  return `${encoded}.${await signCursor(call, encoded, filters)}`;
}

async function signCursor(
  call: Call,
  encoded: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<string> {
  const key = await sealerFrom(call.env.SEALING_KEYS).derive("cursor");
  const signature = await signHmac(key, `${encoded}\n${JSON.stringify(filters)}`);
  return base64url.encode(signature.slice(0, 16), { includePadding: false });
}

function badCursor(): ApiError {
  return new ApiError(
    "invalid_cursor",
    "The cursor does not belong to this list with these filters. Start again without a cursor.",
  );
}
