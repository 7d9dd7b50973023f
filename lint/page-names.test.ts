import { globSync, readFileSync } from "node:fs";
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

it("leads after an action to pages that exist", () => {
  const sources = globSync("src/console/**/*.tsx").map((file) => readFileSync(file, "utf8"));
  const found = (pattern: RegExp): string[] =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, path = ""]) => path));
  const paths = found(/\bpath(?:: | = )"(\/[^"]*)"/g);
  const pages = new Set(paths.map((path) => path.replace(/:\w+/g, ":")));
  expect(pages.size).toBeGreaterThan(20);
  const places = found(/\bgoTo(?:=|: )"([^"?]+)/g);
  expect(places.length).toBeGreaterThan(20);
  const pageOf = (place: string): string => place.replace(/\{\w+\}/g, ":");
  expect(places.filter((place) => place !== "/login" && !pages.has(pageOf(place)))).toEqual([]);
});
