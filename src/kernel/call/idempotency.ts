/**
 * `Idempotency-Key`: the answer to a change is stored in the change's own commit, under a primary key. So a repeated
 * request finds the answer. Of two concurrent requests, one commits. The other's batch writes nothing, and the request
 * returns the first's stored answer. Failures are not stored, since their repetition is harmless.
 */
import { sql } from "drizzle-orm";
import { ApiError } from "#kernel/errors.ts";
import type { Sealer } from "#platform/crypto/seal.ts";
import { idempotencyKeys } from "#schema/idempotency-keys.ts";
import type { Repetition } from "./call-parts.ts";

/** A longer body is not stored, nor the body of a request that changed nothing (decision 0005). */
export const MAX_STORED_BYTES = 4_096;

const KEPT_MS = 24 * 60 * 60 * 1000;
/**
 * The life of an answer without a change. No audit entry counts such requests, and a later repetition changes nothing
 * either.
 */
const UNCHANGED_KEPT_MS = 10 * 60 * 1000;

const encoder = new TextEncoder();

/** An answer as it is stored and replayed. */
export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The body has only the members that a read of the object does not show. */
  isPart?: true;
}

/** Thrown through the use case: an earlier request has the answer. */
export class Replayed extends Error {
  readonly answer: StoredAnswer;
  constructor(answer: StoredAnswer) {
    super("The request was answered before");
    this.answer = answer;
  }
}

/** 1 to 255 visible ASCII characters. */
export function isIdempotencyKey(header: string): boolean {
  return /^[\x21-\x7e]{1,255}$/.test(header);
}

export function badIdempotencyKey(): ApiError {
  return new ApiError("validation_failed", "The Idempotency-Key is not valid.", {
    faults: [
      {
        in: "header",
        pointer: "Idempotency-Key",
        code: "invalid_format",
        detail: "1 to 255 visible ASCII characters.",
      },
    ],
  });
}

/** `name`: equal for requests that repeat one another, and different for all others. */
export function repetitionOf(
  request: { principal: string; operation: string; key: string; bodyDigest: string; now: number },
  answerTo: (result: unknown) => StoredAnswer,
  /** The members of a long body that cannot be read again, as JSON. */
  partOf: (body: string) => string,
  /** Set if the answer carries a secret, so that it is stored sealed. */
  sealer?: Sealer,
): Repetition & { name: string } {
  const { principal, operation, key, bodyDigest, now } = request;
  const t = idempotencyKeys;
  const mine = sql`${t.principal} = ${principal} AND ${t.operation} = ${operation} AND ${t.key} = ${key}`;
  const place = {
    table: "idempotency_keys",
    tenantId: principal,
    row: `${operation} ${key}`,
    column: "body",
  };
  let expired = false;
  return {
    name: JSON.stringify([principal, operation, key, bodyDigest]),
    find: (db) => db.select().from(t).where(mine),
    replay: async (rows) => {
      const row = (rows as (typeof t.$inferSelect)[])[0];
      expired = row !== undefined && row.expiresAtMs <= now;
      if (row === undefined || expired) return;
      if (row.bodyDigest !== bodyDigest)
        throw new ApiError(
          "idempotency_key_reused",
          "This Idempotency-Key was used for another request. Use a new key for a new request.",
        );
      const body = sealer === undefined ? row.body : await sealer.open(row.body, place);
      const { status, headers, isPart } = row;
      throw new Replayed({ status, headers, body, ...(isPart && { isPart }) });
    },
    store: async (db, result, isChange) => {
      const answer = answerTo(result);
      const keep = async (text: string) =>
        sealer === undefined ? text : await sealer.seal(text, place);
      const whole = await keep(answer.body);
      const isLong = encoder.encode(whole).byteLength > MAX_STORED_BYTES;
      // No read gives an empty body.
      const isPart = answer.body !== "" && (!isChange || isLong);
      const body = isPart ? await keep(partOf(answer.body)) : whole;
      const { status, headers } = answer;
      const expiresAtMs = now + (isChange ? KEPT_MS : UNCHANGED_KEPT_MS);
      const insert =
        db.run(sql`INSERT INTO ${t} (principal, operation, key, body_digest, expires_at_ms, status, headers, body, is_part)
        VALUES (${principal}, ${operation}, ${key}, ${bodyDigest}, ${expiresAtMs}, ${status}, ${JSON.stringify(headers)}, ${body}, ${Number(isPart)})`);
      // Deletes only an expired answer, because an equal request may just have stored a new one.
      return expired
        ? [db.delete(t).where(sql`${mine} AND ${t.expiresAtMs} <= ${now}`), insert]
        : [insert];
    },
  };
}
