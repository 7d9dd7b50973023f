import { env } from "cloudflare:workers";

/**
 * Removes the rows that earlier suites of the same Worker left. For suites that process all rows of the database, or
 * need a platform without targets or open incidents.
 */
export async function emptyDatabase(): Promise<void> {
  const { results: parts } = await env.DB.prepare(
    `SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'trigger')
      AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'`,
  ).all<{ type: "table" | "trigger"; name: string; sql: string }>();
  const tables = parts.filter(({ type }) => type === "table");
  // These triggers keep the audit log append-only.
  const triggers = parts.filter(({ type }) => type === "trigger");
  await env.DB.batch(
    [
      "PRAGMA defer_foreign_keys = on",
      ...triggers.map(({ name }) => `DROP TRIGGER "${name}"`),
      ...tables.map(({ name }) => `DELETE FROM "${name}"`),
      ...triggers.map(({ sql }) => sql),
    ].map((statement) => env.DB.prepare(statement)),
  );
}
