import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { ProviderName } from "./provider-names.ts";

export const environments = ["production", "staging", "development", "sandbox", "any"] as const;

/** What a target is for. `any`: nobody said. */
export type Environment = (typeof environments)[number];

export const verifications = ["UNVERIFIED", "VERIFIED", "FAILED"] as const;

/** What the last check of the credential said. `UNVERIFIED`: there was none since it last changed. */
export type VerificationState = (typeof verifications)[number];

export const cloudTargets = sqliteTable(
  "cloud_targets",
  {
    id: text().primaryKey(),
    /** `platform`: made by an operator, for every tenant to deploy to. */
    tenantId: text().notNull(),
    provider: text().$type<ProviderName>().notNull(),
    name: text().notNull(),
    environment: text().$type<Environment>().notNull(),
    /** As it was written; what is not understood is kept. Not for secrets. */
    config: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** Where the credential is, never the credential. */
    credentialRef: text(),
    allowedRegions: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    defaultRegion: text().notNull(),
    maxConcurrentDeployments: integer().notNull(),
    verification: text().$type<VerificationState>().notNull().default("UNVERIFIED"),
    /** When the credential was last checked; kept when a later change makes the check void. */
    verifiedAtMs: integer(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [index("cloud_targets_by_tenant").on(t.tenantId, t.id)],
);

export type CloudTarget = typeof cloudTargets.$inferSelect;
