import { expect, it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { MAX_READING } from "#importers/import-work.ts";
import { spendRepeated, spendValues } from "./value-budget.ts";

it("is shared by the files of an import, and a file that exceeds it spends nothing", () => {
  const log = new ImportLog();
  const take = (count: number, path: string) => spendValues(count, { path, text: "" }, log);
  expect(take(MAX_READING - 10, "a")).toBe(true);
  expect(take(11, "b")).toBe(false);
  expect(take(10, "c")).toBe(true);
  expect(take(1, "d")).toBe(false);
  expect([log.errorOf("b"), log.errorOf("c")]).toEqual(["too_many_values", undefined]);
  expect(spendValues(11, { path: "b", text: "" }, new ImportLog())).toBe(true);
});

it("leaves most of it to files, whatever they repeat", () => {
  const log = new ImportLog();
  let repeated = 0;
  while (spendRepeated(1_000, log)) repeated += 1_000;
  expect(repeated).toBeGreaterThan(MAX_READING / 10);
  expect(repeated).toBeLessThan(MAX_READING / 5);
  expect(spendValues(MAX_READING / 2, { path: "a", text: "" }, log)).toBe(true);
});
