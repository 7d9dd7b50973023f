/**
 * Records in the state directory the migrations of its database, because asking Wrangler takes two seconds, half of a
 * start. The record names the database's files, so it does not apply to files that replace them.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../files/project-root.ts";

/**
 * Runs `apply` unless it has already succeeded with these migrations and this database. `isNew`: there is no database
 * yet.
 */
export async function applyOnce(
  stateDir: string,
  apply: (isNew: boolean) => Promise<void>,
): Promise<void> {
  const record = path.join(stateDir, "migrations.json");
  // Read before they are applied, so migrations that arrive meanwhile are not recorded.
  const migrations = await digestOfMigrations();
  const databases = await databasesIn(stateDir);
  if (databases.length > 0 && (await textOf(record)) === recordOf(migrations, databases)) return;
  // An interrupted `apply` leaves no record.
  await rm(record, { force: true });
  await apply(databases.length === 0);
  await writeFile(record, recordOf(migrations, await databasesIn(stateDir)));
}

/**
 * All migrations for a database that has none, with Wrangler's own table of them. If that table exists, it fails as a
 * whole and changes nothing.
 */
export async function allMigrations(): Promise<string> {
  const migrations = await readMigrations();
  return [
    "CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);",
    ...migrations.flatMap(({ name, sql }) => [
      sql,
      `INSERT INTO d1_migrations (name) VALUES ('${name}');`,
    ]),
  ].join("\n");
}

async function readMigrations(): Promise<{ name: string; sql: string }[]> {
  const directory = path.join(projectRoot, "migrations");
  const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(path.join(directory, name), "utf8") })),
  );
}

function recordOf(migrations: string, databases: readonly string[]): string {
  return JSON.stringify({ migrations, databases });
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, "utf8").catch(() => undefined);
}

/** The digest includes the configuration, which names the database. */
async function digestOfMigrations(): Promise<string> {
  const hash = createHash("sha256").update(await readFile(path.join(projectRoot, "wrangler.toml")));
  for (const { name, sql } of await readMigrations()) hash.update(`\0${name}\0`).update(sql);
  return hash.digest("hex");
}

/** The database files where Miniflare keeps them; none if it keeps them elsewhere one day. */
async function databasesIn(stateDir: string): Promise<string[]> {
  const directory = path.join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
  const names = await readdir(directory).catch(() => []);
  const files = names.filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return Promise.all(
    files.sort().map(async (name) => {
      const { ino, birthtimeMs } = await stat(path.join(directory, name));
      return `${name} ${ino} ${birthtimeMs}`;
    }),
  );
}
