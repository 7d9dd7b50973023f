import journal from "#migrations/meta/_journal.json";

/** The name of the newest migration that this code expects, as D1 records it in `d1_migrations`. */
export const latestMigration = `${journal.entries.at(-1)?.tag}.sql`;
