/**
 * The secret values of the simulated instances, and how to recognize them. Nothing that the service stores may contain
 * one, in any spelling; only the cloud has them. Each has what JSON escapes.
 */
import type { Sqlite } from "./sqlite.ts";

export const secrets = [
  'canary-"one"\\3f9a-secret-of-the-tenant',
  'canary-"two"\\77c1-secret-of-the-tenant',
] as const;

/** The middle of a text's Base64, for each of the three positions at which it can start within other bytes. */
function base64Of(text: string): string[] {
  return [0, 1, 2].map((before) => btoa(" ".repeat(before) + text).slice(before === 0 ? 0 : 4, -4));
}

function spellingsOf(secret: string): string[] {
  const once = JSON.stringify(secret).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [secret, once, twice, ...base64Of(secret), ...base64Of(once), encodeURIComponent(secret)];
}

const spellings: readonly string[] = secrets.flatMap(spellingsOf);

/** Whether the text contains a secret. */
export function showsSecret(text: string, spelled: readonly string[] = spellings): boolean {
  return spelled.some((spelling) => text.includes(spelling));
}

/** The columns of the database that contain a secret, as `table.column`. Default: one of the simulated instances. */
export function columnsWithSecrets(database: Sqlite, of?: readonly string[]): string[] {
  const spelled = of?.flatMap(spellingsOf);
  const columns = database.rows(
    `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND upper(c.type) NOT IN ('INTEGER', 'REAL')`,
  );
  const tables = Map.groupBy(columns, (row) => String(row["table"]));
  return [...tables].flatMap(([table, found]) => {
    const names = found.map((row) => String(row["column"]));
    const all = names.map((name) => `coalesce("${name}", '')`).join(" || ' ' || ");
    const bad = database
      .rows(`SELECT ${all} AS text FROM "${table}"`)
      .some((row) => showsSecret(String(row["text"]), spelled));
    return bad ? [`${table} (${names.join(", ")})`] : [];
  });
}

/** What the checks see in the place of a sealed value. */
export const SEALED = "[sealed]";

/** Whether this is how a variable or a property is stored when it is sealed. */
export function isSealedMark(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("$sealed" in value || "$secret" in value);
}
