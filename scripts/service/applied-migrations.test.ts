import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { latestMigration } from "#schema/latest-migration.ts";
import { allMigrations, applyOnce } from "./applied-migrations.ts";

let stateDir: string;
let databases: string;
let applied: number;

beforeEach(async () => {
  stateDir = await mkdtemp(path.join(tmpdir(), "control-api-"));
  databases = path.join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
  applied = 0;
});
afterEach(() => rm(stateDir, { recursive: true }));

const makeDatabase = async (name = "a.sqlite"): Promise<void> => {
  await mkdir(databases, { recursive: true });
  await writeFile(path.join(databases, name), "");
};
const apply = async (): Promise<void> => {
  applied += 1;
  await makeDatabase();
};
/** The number of times that one more start applied the migrations. */
const start = async (how = apply): Promise<number> => {
  const before = applied;
  await applyOnce(stateDir, how);
  return applied - before;
};

describe("migrations", () => {
  it("of a new database are all applied at once, and named in Wrangler's table", async () => {
    const database = new DatabaseSync(":memory:");
    const sql = await allMigrations();
    database.exec(sql);
    const named = database.prepare("SELECT name FROM d1_migrations ORDER BY id").all();
    const files = (await readdir("migrations")).filter((name) => name.endsWith(".sql"));
    expect(named.map(({ name }) => name)).toEqual(files.sort());
    expect(named.at(-1)).toEqual({ name: latestMigration });
    expect(database.prepare("SELECT count(*) AS rows FROM tenants").get()).toEqual({ rows: 0 });
    expect(() => database.exec(sql)).toThrow("d1_migrations already exists");
  });

  it("are told whether the database is new", async () => {
    const told: boolean[] = [];
    const note = async (isNew: boolean): Promise<void> => {
      told.push(isNew);
      await makeDatabase();
    };
    await applyOnce(stateDir, note);
    await rm(path.join(stateDir, "migrations.json"));
    await applyOnce(stateDir, note);
    expect(told).toEqual([true, false]);
  });

  it("are applied by the first start, and not by the second", async () => {
    expect([await start(), await start()]).toEqual([1, 0]);
  });

  it.each([
    ["the state is removed", () => rm(path.join(stateDir, "v3"), { recursive: true })],
    ["the database is removed", () => rm(path.join(databases, "a.sqlite"))],
    [
      "another database is in its place",
      async () => {
        await cp(databases, `${databases}-copy`, { recursive: true });
        await rm(databases, { recursive: true });
        await rename(`${databases}-copy`, databases);
      },
    ],
    ["the configuration names another database", () => makeDatabase("b.sqlite")],
    [
      "the record is of other migrations",
      () => writeFile(path.join(stateDir, "migrations.json"), '{"migrations":"other"}'),
    ],
    ["the record is cut off", () => writeFile(path.join(stateDir, "migrations.json"), "{")],
  ])("are applied again when %s", async (_, happens) => {
    await start();
    await happens();
    expect([await start(), await start()]).toEqual([1, 0]);
  });

  it("are applied again after a start that was interrupted in the middle", async () => {
    await start();
    await rm(path.join(stateDir, "v3"), { recursive: true });
    const interrupted = async (): Promise<void> => {
      await makeDatabase();
      throw new Error("killed");
    };
    await expect(start(interrupted)).rejects.toThrow("killed");
    // On a file system without birth times, the new file may look like the old one.
    await expect(stat(path.join(stateDir, "migrations.json"))).rejects.toThrow("ENOENT");
    expect(await start()).toBe(1);
  });
});
