/**
 * Statements that run on both the real and the simulated platform, which must return, fail and roll back alike. They
 * cover the SQL that the service uses: JSON, RETURNING, guards, upserts, triggers, numbered parameters.
 */
export interface ScriptStorage {
  sql: Pick<SqlStorage, "exec">;
  transactionSync: <T>(work: () => T) => T;
}

type Results = unknown[];

async function record(results: Results, work: () => Promise<unknown>): Promise<void> {
  try {
    results.push(await work());
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    // The parts of an error that the service reads: a guard's code, the column of a UNIQUE, a trigger's message.
    results.push(
      /guard:[a-z_]+|UNIQUE constraint failed: [a-z_.]+|append-only/.exec(message)?.[0] ??
        "another error",
    );
  }
}

export async function d1Script(db: D1Database): Promise<Results> {
  const results: Results = [];
  const rows = async (query: string, ...values: unknown[]) =>
    (
      await db
        .prepare(query)
        .bind(...values)
        .all()
    ).results;
  const guard = (holds: 0 | 1) =>
    db
      .prepare("SELECT json_extract('{}', CASE WHEN ? THEN '$' ELSE 'guard:' || ? END)")
      .bind(holds, "conflict");
  const make = "CREATE TABLE sim_things (id TEXT PRIMARY KEY, body TEXT, n INTEGER NOT NULL)";
  await record(results, () => rows(make));
  await record(results, () =>
    rows(
      "CREATE TRIGGER sim_kept BEFORE DELETE ON sim_things BEGIN SELECT RAISE(ABORT, 'things are append-only'); END",
    ),
  );
  const put = "INSERT INTO sim_things VALUES (?, ?, ?) RETURNING id, n";
  await record(results, () => rows(put, "a", JSON.stringify({ list: [1, 2] }), 1));
  await record(results, () => rows(put, "a", null, 2));
  await record(results, () => rows(put, "b", null, true));
  await record(results, () => rows(put, "c", undefined, 2));
  await record(results, () => rows("DELETE FROM sim_things"));
  await record(results, () =>
    rows("SELECT value AS v FROM sim_things, json_each(body, '$.list') WHERE n = ?", 1),
  );
  await record(results, () => rows("SELECT ?2 AS second, ?1 AS first, ?2 AS again", "x", 7.5));
  await record(results, () => rows("SELECT json_set(body, '$.more', 3) AS body FROM sim_things"));
  const update = db.prepare("UPDATE sim_things SET n = n + 1 WHERE id = ?").bind("a");
  const read = db.prepare("SELECT id, n FROM sim_things ORDER BY id");
  for (const holds of [1, 0] as const)
    await record(results, async () =>
      (await db.batch([update, guard(holds), read])).map(({ results }) => results),
    );
  await record(results, () => rows("SELECT id, n FROM sim_things ORDER BY id"));
  await record(results, () => rows("DROP TABLE sim_things"));
  return results;
}

export async function storageScript({ sql, transactionSync }: ScriptStorage): Promise<Results> {
  const results: Results = [];
  const rows = (query: string, ...values: SqlStorageValue[]) =>
    sql.exec(query, ...values).toArray();
  const all = () => rows("SELECT * FROM sim_log ORDER BY seq");
  sql.exec(`
    CREATE TABLE IF NOT EXISTS sim_log (seq INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS sim_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  `);
  const put = (entry: string) =>
    rows(
      "INSERT INTO sim_log (entry) SELECT ?1 || coalesce(max(seq), 0) FROM sim_log RETURNING *",
      entry,
    );
  await record(results, async () => put("first"));
  await record(results, async () => put("second"));
  await record(results, async () =>
    transactionSync(() => {
      put("third");
      rows("INSERT INTO sim_log (entry) VALUES ('first0')");
    }),
  );
  await record(results, async () => all());
  await record(results, async () =>
    transactionSync(() => {
      put("outer");
      try {
        transactionSync(() => {
          put("inner");
          throw new Error("undone");
        });
      } catch {
        put("after");
      }
      return all();
    }),
  );
  for (const value of ["1", "2"])
    rows(
      "INSERT INTO sim_facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      "serial",
      value,
    );
  await record(results, async () => sql.exec("SELECT value FROM sim_facts").one());
  await record(results, async () =>
    sql.exec("SELECT value FROM sim_facts WHERE name = 'none'").one(),
  );
  await record(results, async () => [
    ...sql.exec("SELECT seq FROM sim_log ORDER BY seq DESC LIMIT 2"),
  ]);
  return results;
}

const note = (seq: number, entry: string) => ({ seq, entry });
const logged = [note(1, "first0"), note(2, "second1")];

/** The expected results on both platforms. */
export const d1Answers: Results = [
  [],
  [],
  [{ id: "a", n: 1 }],
  "UNIQUE constraint failed: sim_things.id",
  [{ id: "b", n: 1 }],
  "another error",
  "append-only",
  [{ v: 1 }, { v: 2 }],
  [{ second: 7.5, first: "x", again: 7.5 }],
  [{ body: '{"list":[1,2],"more":3}' }, { body: null }],
  [
    [],
    [{ "json_extract('{}', CASE WHEN ? THEN '$' ELSE 'guard:' || ? END)": "{}" }],
    [
      { id: "a", n: 2 },
      { id: "b", n: 1 },
    ],
  ],
  "guard:conflict",
  [
    { id: "a", n: 2 },
    { id: "b", n: 1 },
  ],
  [],
];

export const storageAnswers: Results = [
  [note(1, "first0")],
  [note(2, "second1")],
  "UNIQUE constraint failed: sim_log.entry",
  logged,
  [...logged, note(3, "outer2"), note(4, "after3")],
  { value: "2" },
  "another error",
  [{ seq: 4 }, { seq: 3 }],
];
