import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { unrulyConfig } from "./unruly-config.ts";

it("is the project's own configuration except the entry and the paths", async () => {
  const own = await readFile(path.join(projectRoot, "wrangler.toml"), "utf8");
  const config = unrulyConfig(own, "/project");
  const before = new Set(own.split("\n"));
  expect(config.split("\n").filter((line) => !before.has(line))).toEqual([
    'main = "/project/scripts/soak/worker/unruly-worker.ts"',
    'cwd = "/project"',
    'directory = "/project/public"',
    'migrations_dir = "/project/migrations"',
  ]);
});

it("fails when the configuration lacks a value that it replaces", () => {
  expect(() => unrulyConfig("", "/project")).toThrow(/has no line main/);
});
