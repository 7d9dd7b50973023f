import { desc, sql } from "drizzle-orm";
import type { Call } from "#platform/call.ts";
import { apiKeys } from "#platform/db/tables.ts";
import type { PageRequest } from "#platform/http/page.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

export function findApiKey(call: Call, id: string) {
  return call.db
    .select()
    .from(apiKeys)
    .where(sql`${apiKeys.id} = ${id} AND ${call.mine(apiKeys.tenantId)}`);
}

/** One more than the page holds, newest first. `tenantId`: of this tenant only. */
export function findApiKeys(call: Call, page: PageRequest, tenantId: string | undefined) {
  const { id } = apiKeys;
  return call.db
    .select()
    .from(apiKeys)
    .where(
      sql`${call.mine(apiKeys.tenantId)}
        AND ${tenantId === undefined ? sql`1` : sql`${apiKeys.tenantId} = ${tenantId}`}
        AND ${page.afterId === undefined ? sql`1` : sql`${id} < ${page.afterId}`}`,
    )
    .orderBy(desc(id))
    .limit(page.limit + 1);
}
