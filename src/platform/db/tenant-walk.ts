import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * For `WITH RECURSIVE`: `tenant(id)`, each tenant with rows in the table, and null at the end. The table needs an index
 * that begins with `tenant_id`. One search of it finds the next tenant, however many rows the last one has.
 */
export function tenantWalk(table: SQLiteTable): SQL {
  return sql`tenant(id) AS (
      SELECT min(tenant_id) FROM ${table}
      UNION ALL
      SELECT (SELECT min(tenant_id) FROM ${table} WHERE tenant_id > tenant.id)
        FROM tenant WHERE tenant.id IS NOT NULL
    )`;
}
