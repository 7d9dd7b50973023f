import { version } from "#package.json";
import { expectedMigrations, latestMigration } from "#schema/latest-migration.ts";

/** The version of the code, and the migrations that it expects. */
export const build = {
  version,
  migration: latestMigration,
  migrations: expectedMigrations,
} as const;
