import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { defaultPolicy } from "#http/default-policy.ts";
import { projectRoot } from "./project-root.ts";

it("states the limit set in wrangler.toml", () => {
  const { quota, windowSeconds } = defaultPolicy;
  expect(readFileSync(path.join(projectRoot, "wrangler.toml"), "utf8")).toContain(
    `simple = { limit = ${quota}, period = ${windowSeconds} }`,
  );
});
