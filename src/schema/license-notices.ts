import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What was told about a license, so that it is told once. */
export const licenseNotices = sqliteTable("license_notices", {
  /** `<event type> <license id>`. */
  id: text().primaryKey(),
  atMs: integer().notNull(),
});
