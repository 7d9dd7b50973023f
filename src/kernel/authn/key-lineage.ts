/**
 * Keys that were created with other keys. A key lists the keys above it, and works only while none of them is revoked,
 * removed, expired, or rotated without an overlap (decision 0015). Its scopes are never wider than their present
 * scopes.
 */
import { type SQL, sql } from "drizzle-orm";
import { type Ancestor, hasScope, type KeyRef } from "#kernel/access/access.ts";
import { apiKeys } from "#schema/api-keys.ts";

/** The longest chain of keys above a key. Each is looked up with every request. */
export const MAX_ANCESTORS = 8;

/** `[scopes, expiry]` of a key above. */
type Link = readonly [scopes: readonly string[], expiresAtMs: number | null];

/** The keys of the list `ancestors` that work. */
function working(ancestors: SQL, nowMs: number): SQL {
  return sql`FROM json_each(${ancestors}) a JOIN ${apiKeys} p ON p.id = a.value ->> 0
    WHERE p.tenant_id IS NOT NULL AND p.generation = a.value ->> 1
      AND p.revoked_at_ms IS NULL
      AND (p.expires_at_ms IS NULL OR p.expires_at_ms > ${nowMs})`;
}

/** A scalar for `readLineage`. `ancestors`: the column. */
export function lineageSql(ancestors: SQL, nowMs: number): SQL {
  return sql`(SELECT json_group_array(json(link)) FROM (
    SELECT json_array(json(p.scopes), p.expires_at_ms) AS link ${working(ancestors, nowMs)} ORDER BY a.key))`;
}

/** The links; undefined: a key above no longer works. */
export function readLineage(
  ancestors: readonly Ancestor[],
  lineage: string,
): readonly Link[] | undefined {
  const links = JSON.parse(lineage) as Link[];
  return links.length === ancestors.length ? links : undefined;
}

/** The id of an ended key above, as a scalar; NULL: none has ended. */
export function endedAncestor(ancestors: SQL, nowMs: number): SQL<string | null> {
  return sql`(SELECT ended.value ->> 0 FROM json_each(${ancestors}) ended WHERE NOT EXISTS (
    SELECT 1 ${working(sql`json_array(ended.value)`, nowMs)}) LIMIT 1)`;
}

/** The scopes of a key that are also those of all keys above it. */
export function narrowed(scopes: readonly string[], links: readonly Link[]): readonly string[] {
  return links.reduce<readonly string[]>(
    (left, [theirs]) => [
      ...new Set([
        ...left.filter((scope) => hasScope(theirs, scope)),
        ...theirs.filter((scope) => hasScope(left, scope)),
      ]),
    ],
    scopes,
  );
}

export function endOf(expiresAtMs: number | null, links: readonly Link[]): number | null {
  const ends = [expiresAtMs, ...links.map(([, atMs]) => atMs)].filter((atMs) => atMs !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** The ancestors of a key that this one creates. */
export function ancestorsBelow({ id, generation, ancestors }: KeyRef): readonly Ancestor[] {
  return [[id, generation], ...ancestors];
}
