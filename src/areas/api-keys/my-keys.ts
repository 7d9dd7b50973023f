import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { tenants } from "#schema/tenants.ts";

export interface MyKey {
  id: string;
  /** Null: an operator's key. */
  tenantName: string | null;
  name: string;
  prefix: string;
  /** JSON. */
  scopes: string;
  expiresAtMs: number | null;
  lastUsedAtMs: number | null;
}

/** The keys that the signed-in user created and that still work, in every tenant; at most `limit`, newest first. */
export function findMyKeys(call: Call, limit: number) {
  const k = apiKeys;
  return call.db.all<MyKey>(sql`
    SELECT ${k.id} AS id, t.name AS tenantName, ${k.name} AS name, ${k.prefix} AS prefix, ${k.scopes} AS scopes,
      ${k.expiresAtMs} AS expiresAtMs, ${k.lastUsedAtMs} AS lastUsedAtMs
    FROM ${k} LEFT JOIN ${tenants} t ON t.id = ${k.tenantId}
    WHERE ${k.creatorUserId} = ${call.me()} AND ${k.tenantId} IS NOT NULL AND ${k.revokedAtMs} IS NULL
      AND (${k.expiresAtMs} IS NULL OR ${k.expiresAtMs} > ${call.now})
    ORDER BY ${k.id} DESC LIMIT ${limit}`);
}
