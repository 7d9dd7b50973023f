import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** About a page. */
const MAX_CHARACTERS = 6_000;

it("the changelog tells each version on a page", () => {
  const [, ...versions] = readFileSync("CHANGELOG.md", "utf8").split(/^## /m);
  expect(versions.length).toBeGreaterThan(0);
  for (const version of versions) expect(version.length).toBeLessThan(MAX_CHARACTERS);
});
