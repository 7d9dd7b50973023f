import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** License events already sent, so that each is sent once. */
export const licenseNotices = sqliteTable("license_notices", {
  /** `<event type> <license id>`. */
  id: text().primaryKey(),
  atMs: integer().notNull(),
});
