/**
 * Pages of every list: newest first, by id, which sorts by time. A cursor holds the last id; its signature
 * covers the filters too, so a changed cursor, or one from another list, is rejected.
 */
import { base64url } from "oslo/encoding";
import * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { constantTimeEqual } from "#platform/crypto/digest.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";

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
    .describe("`nextCursor` of the previous page. Default: the first page."),
};

export interface Page<T> {
  data: T[];
  nextCursor: string | null;
}

/** The body of a list's answer. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

export interface PageRequest {
  limit: number;
  /** The page starts after this id. */
  afterId?: string;
}

/**
 * Verifies and decodes the cursor; throws `invalid_cursor`. `filters`: everything that selects the rows of
 * the list.
 */
export async function openPage(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
  filters: Readonly<Record<string, unknown>>,
): Promise<PageRequest> {
  if (query.cursor === undefined) return { limit: query.limit };
  const [encoded, signature, ...rest] = query.cursor.split(".");
  const genuine =
    encoded !== undefined &&
    signature !== undefined &&
    rest.length === 0 &&
    constantTimeEqual(await signCursor(call, encoded, filters), signature);
  if (!genuine) {
    await call.authenticate();
    throw badCursor();
  }
  const afterId = new TextDecoder().decode(base64url.decode(encoded, { strict: false }));
  return { limit: query.limit, afterId };
}

/** The page of `rows`. The caller reads `limit + 1` rows: the extra row shows that there is a next page. */
export async function closePage<R extends { id: string }, V>(
  call: Call,
  page: PageRequest,
  filters: Readonly<Record<string, unknown>>,
  rows: readonly R[],
  view: (row: R) => V,
): Promise<Page<V>> {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return {
    data: shown.map(view),
    nextCursor: more ? await makeCursor(call, last.id, filters) : null,
  };
}

async function makeCursor(
  call: Call,
  afterId: string,
  filters: Readonly<Record<string, unknown>>,
): Promise<string> {
  const encoded = base64url.encode(new TextEncoder().encode(afterId), { includePadding: false });
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
