import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { byteTriggers } from "./byte-budgets.ts";

const migration = readFileSync(
  new URL("../../../migrations/0000_initial.sql", import.meta.url),
  "utf8",
);

it("the migration has the triggers that count bytes", () => {
  const statements = migration.split("--> statement-breakpoint").map((one) => one.trim());
  const triggers = Object.values(byteTriggers()).map((one) => `${one};`);
  expect(statements.slice(-triggers.length)).toEqual(triggers);
});
