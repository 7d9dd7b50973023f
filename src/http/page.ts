/**
 * Every list pages from its first day: newest first, ties broken by id, which sorts by time itself. A cursor
 * holds the last id and a hash of the filters, signed: a changed or foreign cursor is refused, not guessed at.
 */
import { base64url } from "oslo/encoding";
import * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { constantTimeEqual } from "#platform/crypto/digest.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";

/** Digits, and not whatever Number() takes: `1e2`, `0x10`, an empty value. */
export function limitOf(fallback: number, description: string) {
  return z
    .string()
    .refine((text) => /^(?:[1-9]\d?|100)$/.test(text), "A whole number from 1 to 100.")
    .transform(Number)
    .default(fallback)
    .meta({ type: "integer", minimum: 1, maximum: 100, default: fallback, description });
}

/** The query parameters every list takes. */
export const pageQuery = {
  limit: limitOf(20, "At most so many, 1 to 100."),
  cursor: z.string().max(1000).optional().describe("`nextCursor` of the page before."),
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
  /** Rows come after this id. */
  afterId?: string;
}

/** Reads the cursor. `filters`: everything that decides which rows there are. */
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

/** The page of `rows`, of which one more than `limit` was read to know whether there is a next one. */
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
    "The cursor is not one this list gave for these filters. Start again without a cursor.",
  );
}
