/**
 * Remembers in the state directory which migrations its database has: asking Wrangler takes two seconds, half of a
 * start. The record is of no use without the database, and is not believed without it.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "./project-root.ts";

const migrations = path.join(projectRoot, "migrations");

/** False when in doubt: applying them again changes nothing. */
export async function areMigrationsApplied(stateDir: string): Promise<boolean> {
  try {
    await stat(path.join(stateDir, "v3/d1"));
    return (await readFile(recordIn(stateDir), "utf8")) === (await digestOfMigrations());
  } catch {
    return false;
  }
}

export async function recordMigrations(stateDir: string): Promise<void> {
  await writeFile(recordIn(stateDir), await digestOfMigrations());
}

function recordIn(stateDir: string): string {
  return path.join(stateDir, "migrations.sha256");
}

async function digestOfMigrations(): Promise<string> {
  const hash = createHash("sha256");
  const files = (await readdir(migrations)).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort())
    hash.update(`${name}\0`).update(await readFile(path.join(migrations, name)));
  return hash.digest("hex");
}
