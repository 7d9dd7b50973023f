import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { Authors } from "./authors.ts";
import type { Labels } from "./labels.ts";
import type { ProviderName } from "./lists/provider-names.ts";

export const environments = ["production", "staging", "development", "sandbox", "any"] as const;

/** The purpose of a target. `any`: not specified. */
export type Environment = (typeof environments)[number];

export const verifications = ["UNVERIFIED", "VERIFIED", "FAILED"] as const;

/** Result of the last credential check. `UNVERIFIED`: not checked since the last change. */
export type VerificationState = (typeof verifications)[number];

export const cloudTargets = sqliteTable(
  "cloud_targets",
  {
    id: text().primaryKey(),
    /** `platform`: created by an operator, usable by every tenant. */
    tenantId: text().notNull(),
    provider: text().$type<ProviderName>().notNull(),
    name: text().notNull(),
    /** The name in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    labels: text({ mode: "json" }).$type<Labels>().notNull().default({}),
    environment: text().$type<Environment>().notNull(),
    /** Stored as given, including unknown keys. Not for secrets. */
    config: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** A reference to the credential, never the credential. */
    credentialRef: text(),
    allowedRegions: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    defaultRegion: text().notNull(),
    maxConcurrentDeployments: integer().notNull(),
    verification: text().$type<VerificationState>().notNull().default("UNVERIFIED"),
    /** The time of the last credential check; kept when a later change resets `verification`. */
    verifiedAtMs: integer(),
    /**
     * The persons who changed the content that deployments take. Not the one who registered the target: an instance is
     * created for the target as it is.
     */
    authors: text({ mode: "json" }).$type<Authors>().notNull().default({}),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("cloud_targets_by_tenant").on(t.tenantId, t.id),
    index("cloud_targets_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    index("cloud_targets_by_name").on(t.tenantId, sql`name COLLATE NOCASE`, t.id),
  ],
);

export type CloudTarget = typeof cloudTargets.$inferSelect;
