import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { dataNames, ids } from "#console/shared/page-names.ts";

it("the console's style sheet uses no attribute or id that pages do not have", () => {
  const sheet = readFileSync("public/assets/console/console.css", "utf8");
  const attributes = [...sheet.matchAll(/\[data-([a-z-]+)|attr\(data-([a-z-]+)\)/g)];
  const used = attributes.map(([, selected, shown]) => selected ?? shown);
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !dataNames.some((known) => known === name))).toEqual([]);
  const selectors = sheet.matchAll(/#([a-z-]+)[^{};]*\{/g);
  const usedIds = [...selectors].map(([, id]) => id);
  expect(usedIds.length).toBeGreaterThan(1);
  expect(usedIds.filter((id) => !Object.values<string>(ids).includes(id ?? ""))).toEqual([]);
});
