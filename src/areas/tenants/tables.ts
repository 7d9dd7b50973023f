import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";

export const tenants = sqliteTable("tenants", {
  id: text().primaryKey(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  /** As the operator wrote them; what is not understood is kept. */
  limits: text({ mode: "json" }).$type<JsonMap>().notNull(),
  allowedEmailDomains: text({ mode: "json" }).$type<readonly string[]>().notNull(),
  version: integer().notNull(),
  createdAtMs: integer().notNull(),
  updatedAtMs: integer().notNull(),
});

export type Tenant = typeof tenants.$inferSelect;
