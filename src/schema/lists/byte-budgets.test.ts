import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { byteCounts, byteTriggers } from "./byte-budgets.ts";

const migration = readFileSync(
  new URL("../../../migrations/0020_bytes.sql", import.meta.url),
  "utf8",
);

it("the migration counts what was stored before, then lets the triggers count", () => {
  const statements = migration.split("--> statement-breakpoint").map((one) => one.trim());
  const triggers = Object.values(byteTriggers()).map((one) => `${one};`);
  expect(statements.slice(-triggers.length - byteCounts().length)).toEqual([
    ...byteCounts(),
    ...triggers,
  ]);
});
