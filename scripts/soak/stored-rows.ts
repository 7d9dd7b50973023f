/** Reads the SQLite files of D1 and of the Durable Objects in a state directory. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

export type Row = Readonly<Record<string, unknown>>;

/**
 * The rows that the query finds in each of the files. Throws if there are files and none has the table: then the table
 * has another name now, and the audit would examine nothing. `isRare`: the first use makes the table.
 */
function rowsIn(
  files: readonly string[],
  { table, query, isRare = false }: { table: string; query: string; isRare?: boolean },
): Row[] {
  let found = 0;
  const rows = files.flatMap((file) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const has = database
        .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?")
        .get(table);
      if (has === undefined) return [];
      found += 1;
      return database.prepare(query).all();
    } finally {
      database.close();
    }
  });
  if (found === 0 && files.length > 0 && !isRare)
    throw new Error(`None of ${files.length} databases has a table ${table}: ${query}`);
  return rows;
}

async function filesIn(directory: string): Promise<string[]> {
  if (!existsSync(directory)) return [];
  const names = await readdir(directory);
  return names
    .filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")
    .map((name) => path.join(directory, name));
}

export async function rowsOfD1(stateDir: string, table: string, query: string): Promise<Row[]> {
  const files = await filesIn(path.join(stateDir, "v3/d1/miniflare-D1DatabaseObject"));
  return rowsIn(files, { table, query });
}

export async function rowsOfObjects(
  stateDir: string,
  objectClass: "InstanceRunner" | "TargetGate" | "MockCloud",
  given: { table: string; query: string; isRare?: boolean },
): Promise<Row[]> {
  return rowsIn(await filesIn(path.join(stateDir, `v3/do/control-api-${objectClass}`)), given);
}

/** Every text of D1, with the table that it is in. */
export async function textsOfD1(stateDir: string): Promise<{ table: string; text: string }[]> {
  const files = await filesIn(path.join(stateDir, "v3/d1/miniflare-D1DatabaseObject"));
  return files.flatMap((file) => {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const tables = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        .all()
        .map(({ name }) => String(name));
      return tables.flatMap((table) =>
        database
          .prepare(`SELECT * FROM "${table.replaceAll('"', '""')}"`)
          .all()
          .map((row) => ({ table, text: Object.values(row).map(String).join(" ") })),
      );
    } finally {
      database.close();
    }
  });
}
