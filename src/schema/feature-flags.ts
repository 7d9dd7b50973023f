import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "#platform/json.ts";

export const flagTypes = ["boolean", "string", "number", "object"] as const;

export type FlagType = (typeof flagTypes)[number];

/** Selects tenants for a variant. evaluate-flag.ts defines how a list of rules is evaluated. */
export interface FlagRule {
  /** Absent: every tenant. Empty: none. */
  tenantIds?: readonly string[] | undefined;
  /** Absent: all selected tenants. */
  percentage?: number | undefined;
  variant: string;
}

/** Flags belong to the installation, not to a tenant; only operators change them. */
export const featureFlags = sqliteTable("feature_flags", {
  id: text().primaryKey(),
  key: text().notNull().unique(),
  type: text().$type<FlagType>().notNull(),
  enabled: integer({ mode: "boolean" }).notNull(),
  variants: text({ mode: "json" }).$type<{ readonly [name: string]: Json }>().notNull(),
  defaultVariant: text().notNull(),
  rules: text({ mode: "json" }).$type<readonly FlagRule[]>().notNull(),
  version: integer().notNull(),
  createdAtMs: integer().notNull(),
  updatedAtMs: integer().notNull(),
});

export type FeatureFlag = typeof featureFlags.$inferSelect;
