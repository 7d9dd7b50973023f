import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { Authors } from "./authors.ts";

export const profiles = sqliteTable(
  "profiles",
  {
    id: text().primaryKey(),
    /** `platform`: usable by every tenant. */
    tenantId: text().notNull(),
    name: text().notNull(),
    /** The name in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    /** As given; each value of a secret name is sealed separately. */
    variables: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** Default target of instances created with this profile. */
    targetId: text(),
    /** The persons who set or changed the variables. */
    authors: text({ mode: "json" }).$type<Authors>().notNull().default({}),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("profiles_by_tenant").on(t.tenantId, t.id),
    index("profiles_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    index("profiles_by_name").on(t.tenantId, sql`name COLLATE NOCASE`, t.id),
    index("profiles_by_target").on(t.targetId),
  ],
);

export type Profile = typeof profiles.$inferSelect;
