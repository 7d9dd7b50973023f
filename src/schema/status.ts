import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Incident } from "./incidents.ts";

/**
 * Deployment results per tenant and completed day. WITHOUT ROWID (set by hand in the migration). The platform's row of
 * a day marks the day as counted for all tenants.
 */
export const statusDays = sqliteTable(
  "status_days",
  {
    tenantId: text().notNull(),
    /** UTC, `2026-11-20`. */
    day: text().notNull(),
    finished: integer().notNull(),
    failed: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day] })],
);

/**
 * The last announced status per tenant; UNKNOWN without a row. The platform's row stores the tenant after which the
 * next sweep continues.
 */
export const announcedStatuses = sqliteTable("announced_statuses", {
  tenantId: text().primaryKey(),
  status: text().$type<Incident["impact"]>().notNull(),
  /** Only in the platform's row. */
  afterTenantId: text(),
  version: integer().notNull(),
  updatedAtMs: integer().notNull(),
});

export type AnnouncedStatus = typeof announcedStatuses.$inferSelect;
