import { and, desc, getTableColumns, lt, sql } from "drizzle-orm";
import { type ListFilters, onePage } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import { endedAncestor } from "#kernel/authn/key-lineage.ts";
import type { Call } from "#kernel/call/call.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { members } from "#schema/tenants.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

export interface ShownKey extends ApiKey {
  /** An ancestor that has ended. */
  endedByKeyId: string | null;
  /** The earliest expiry of its ancestors. */
  aboveEndsAtMs: number | null;
}

function selectKeys(call: Call) {
  const above = sql`api_keys.ancestors`;
  return call.db
    .select({
      ...getTableColumns(apiKeys),
      endedByKeyId: endedAncestor(above, call.now).as("endedByKeyId"),
      aboveEndsAtMs: sql<number | null>`(SELECT min(p.expires_at_ms) FROM json_each(${above}) a
        JOIN ${apiKeys} p ON p.id = a.value ->> 0 WHERE p.tenant_id IS NOT NULL)`.as(
        "aboveEndsAtMs",
      ),
    })
    .from(apiKeys)
    .$dynamic();
}

export function findApiKey(call: Call, id: string) {
  return selectKeys(call).where(sql`${apiKeys.id} = ${id} AND ${call.inScope(apiKeys.tenantId)}`);
}

/** The current role of the key's creator in its tenant; no row: not a member, or no creator. */
export function findCreatorRole(call: Call, keyId: string) {
  const k = apiKeys;
  const ofKey = (column: typeof k.tenantId | typeof k.creatorUserId) =>
    sql`(SELECT ${column} FROM ${k} WHERE ${k.id} = ${keyId} AND ${call.inScope(k.tenantId)})`;
  return call.db
    .select({ role: members.role })
    .from(members)
    .where(
      sql`${members.tenantId} = ${ofKey(k.tenantId)} AND ${members.userId} = ${ofKey(k.creatorUserId)}`,
    );
}

/** The keys that count against the limit: all but revoked ones. */
export function isLive() {
  return sql`${apiKeys.revokedAtMs} IS NULL`;
}

/** One more than the page holds. */
export function findApiKeys(call: Call, page: PageRequest, filters: ListFilters) {
  const { orderBy, limit } = onePage(apiKeys, page);
  const keys = selectKeys(call).where(rowsInScope(call, apiKeys, page, filters));
  return keys.orderBy(...orderBy).limit(limit);
}

/** The working keys that the signed-in user created, in every tenant; one more than the page holds. */
export function findMyApiKeys(call: Call, page: PageRequest) {
  const k = apiKeys;
  return selectKeys(call)
    .where(
      and(
        sql`${endedAncestor(sql`api_keys.ancestors`, call.now)} IS NULL AND ${k.creatorUserId} = ${call.me()} AND ${k.tenantId} IS NOT NULL AND ${isLive()}
          AND (${k.expiresAtMs} IS NULL OR ${k.expiresAtMs} > ${call.now})`,
        page.afterId === undefined ? undefined : lt(k.id, page.afterId),
      ),
    )
    .orderBy(desc(k.id))
    .limit(page.limit + 1);
}
