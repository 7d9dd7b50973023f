import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { changePolicy, defaultPolicy } from "#http/default-policy.ts";
import { projectRoot } from "../files/project-root.ts";

it.each([defaultPolicy, changePolicy])("states the limit $name set in wrangler.toml", (policy) => {
  const { quota, windowSeconds } = policy;
  expect(readFileSync(path.join(projectRoot, "wrangler.toml"), "utf8")).toContain(
    `simple = { limit = ${quota}, period = ${windowSeconds} }`,
  );
});
