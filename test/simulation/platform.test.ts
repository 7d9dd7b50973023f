/** The simulated platform is like the real one where the service depends on it, and repeats itself. */
import { expect, it, vi } from "vitest";
import { Random } from "./random.ts";
import { simulate } from "./run.ts";
import { d1Answers, d1Script, storageAnswers, storageScript } from "./script.ts";
import { d1Over, Sqlite, sqlStorageOver } from "./sqlite.ts";

vi.mock("cloudflare:workers", () => import("./workers-module.ts"));

const random = new Random(1);

it("answers for D1 as D1 does", async () => {
  const database = new Sqlite(() => random);
  const d1 = d1Over(database, async (work) => work());
  expect(await d1Script(d1)).toEqual(d1Answers);
});

it("answers for an object's storage as that does", async () => {
  const database = new Sqlite(() => random);
  const told = await storageScript({
    sql: sqlStorageOver(database, () => undefined),
    transactionSync: (work) => database.atomically(work),
  });
  expect(told).toEqual(storageAnswers);
});

it("does the same again for the same seed", { timeout: 60_000 }, async () => {
  const quiet = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    for (const seed of [4, 19, 58]) expect(await simulate(seed)).toBe(await simulate(seed));
  } finally {
    for (const one of [quiet, warn, error]) one.mockRestore();
  }
});
