import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The host names by which requests reached the service. No webhook may lead to one of them. */
export const ownHosts = sqliteTable("own_hosts", {
  /** In lower case, without a port and a trailing dot. */
  host: text().primaryKey(),
  firstSeenAtMs: integer().notNull(),
});
