import { version } from "#package.json";
import { expectedMigrations, latestMigration } from "#schema/latest-migration.ts";

/** What this code is, and what it expects of the database. */
export const build = {
  version,
  migration: latestMigration,
  migrations: expectedMigrations,
} as const;
