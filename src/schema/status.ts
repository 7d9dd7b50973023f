import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Incident } from "./incidents.ts";

/**
 * What a day's deployments came to, per tenant, once the day is over. WITHOUT ROWID (set by hand in the
 * migration). The platform's row of a day says that the day was counted, for every tenant.
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
 * The status that was last announced, per tenant; no row: UNKNOWN. The platform's row says after which tenant
 * the next sweep goes on.
 */
export const announcedStatuses = sqliteTable("announced_statuses", {
  tenantId: text().primaryKey(),
  status: text().$type<Incident["impact"]>().notNull(),
  /** The platform's row only. */
  afterTenantId: text(),
  version: integer().notNull(),
  updatedAtMs: integer().notNull(),
});

export type AnnouncedStatus = typeof announcedStatuses.$inferSelect;
