import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { areMigrationsApplied, recordMigrations } from "./applied-migrations.ts";

let stateDir: string;
const database = () => path.join(stateDir, "v3/d1");

beforeAll(async () => {
  stateDir = await mkdtemp(path.join(tmpdir(), "control-api-"));
});
afterAll(() => rm(stateDir, { recursive: true }));

it("believes a record only of these migrations, and only beside a database", async () => {
  expect(await areMigrationsApplied(stateDir)).toBe(false);
  await recordMigrations(stateDir);
  expect(await areMigrationsApplied(stateDir)).toBe(false);
  await mkdir(database(), { recursive: true });
  expect(await areMigrationsApplied(stateDir)).toBe(true);
  await writeFile(path.join(stateDir, "migrations.sha256"), "those of another version");
  expect(await areMigrationsApplied(stateDir)).toBe(false);
  await recordMigrations(stateDir);
  await rm(database(), { recursive: true });
  expect(await areMigrationsApplied(stateDir)).toBe(false);
});
