import journal from "#migrations/meta/_journal.json";

/** The number of migrations that this code expects, as D1 records them in `d1_migrations`. */
export const expectedMigrations = journal.entries.length;

/** The name of the newest migration that this code expects, as D1 records it in `d1_migrations`. */
export const latestMigration = `${journal.entries.at(-1)?.tag}.sql`;
