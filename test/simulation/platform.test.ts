/** The simulated platform behaves like the real one where the service depends on it, and is deterministic. */
import { expect, it, vi } from "vitest";
import { partOf } from "#test/support/depth.ts";
import { Random } from "./random.ts";
import { simulate } from "./run.ts";
import { d1Answers, d1Script, storageAnswers, storageScript } from "./script.ts";
import { d1Over, Sqlite, sqlStorageOver } from "./sqlite.ts";

const random = new Random(1);

it("behaves like D1", async () => {
  const database = new Sqlite(() => random);
  const d1 = d1Over(database, async (work) => work());
  expect(await d1Script(d1)).toEqual(d1Answers);
});

it("behaves like the storage of a Durable Object", async () => {
  const database = new Sqlite(() => random);
  const results = await storageScript({
    sql: sqlStorageOver(database, () => undefined),
    transactionSync: (work) => database.atomically(work),
  });
  expect(results).toEqual(storageAnswers);
});

it("repeats the same run for the same seed, whatever ran before", { timeout: 60_000 }, async () => {
  const quiet = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
  try {
    for (const [seed, other] of partOf(
      [
        [4, 19],
        [19, 5],
        [6, 58],
      ] as const,
      3,
    )) {
      const first = await simulate("tokens", seed);
      await simulate("tokens", other);
      expect(await simulate("tokens", seed)).toBe(first);
    }
  } finally {
    for (const one of [quiet, warn, error]) one.mockRestore();
  }
});
