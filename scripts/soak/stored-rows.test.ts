import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rowsOfObjects, textsOfD1 } from "./stored-rows.ts";

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(path.join(tmpdir(), "control-api-rows-"));
});

afterEach(async () => rm(stateDir, { recursive: true }));

async function write(folder: string, file: string, sql: string): Promise<void> {
  const directory = path.join(stateDir, "v3", folder);
  await mkdir(directory, { recursive: true });
  const database = new DatabaseSync(path.join(directory, file));
  database.exec(sql);
  database.close();
}

const slots = { table: "slots", query: "SELECT * FROM slots" };

it("reads the rows of all objects, and none where there is no object", async () => {
  expect(await rowsOfObjects(stateDir, "TargetGate", slots)).toEqual([]);
  for (const name of ["a", "b"])
    await write(
      "do/control-api-TargetGate",
      `${name}.sqlite`,
      `CREATE TABLE slots (id TEXT); INSERT INTO slots VALUES ('${name}')`,
    );
  const rows = await rowsOfObjects(stateDir, "TargetGate", slots);
  expect(rows.map(({ id }) => String(id)).toSorted()).toEqual(["a", "b"]);
});

it("fails when no object has the table, unless its first use makes it", async () => {
  await write("do/control-api-TargetGate", "a.sqlite", "CREATE TABLE places (id TEXT)");
  await expect(rowsOfObjects(stateDir, "TargetGate", slots)).rejects.toThrow(
    /None of 1 databases has a table slots/,
  );
  expect(await rowsOfObjects(stateDir, "TargetGate", { ...slots, isRare: true })).toEqual([]);
});

it("shows every text of D1 with its table", async () => {
  await write(
    "d1/miniflare-D1DatabaseObject",
    "a.sqlite",
    "CREATE TABLE events (id TEXT, payload TEXT); INSERT INTO events VALUES ('e1', 'told')",
  );
  expect(await textsOfD1(stateDir)).toEqual([{ table: "events", text: "e1 told" }]);
});
