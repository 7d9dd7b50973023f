import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";

export const profiles = sqliteTable(
  "profiles",
  {
    id: text().primaryKey(),
    /** `platform`: for the instances of every tenant. */
    tenantId: text().notNull(),
    name: text().notNull(),
    /** As given; the values of secret names are sealed, each by itself. */
    variables: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** Where an instance goes that is made with this profile and names no target. */
    targetId: text(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("profiles_by_tenant").on(t.tenantId, t.id),
    index("profiles_by_target").on(t.targetId),
  ],
);

export type Profile = typeof profiles.$inferSelect;
