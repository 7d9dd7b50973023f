/**
 * `npm run mutate -- <path>`: changes each expression of a pure source, one at a time, and tells which changes no test
 * beside the sources notices. For pure floors alone: a file takes minutes, a floor hours.
 */
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./files/project-root.ts";

const pure = /^src\/(engine|importers|platform|schema)\//;

const [given = ""] = process.argv.slice(2);
const file = path.resolve(given);
const source = path.relative(projectRoot, file).replaceAll("\\", "/");
const found = statSync(file, { throwIfNoEntry: false });
if (found === undefined || !pure.test(`${source}/`)) {
  console.error(
    "Usage: npm run mutate -- <file or folder of src/engine, src/importers, src/platform or src/schema>",
  );
  process.exit(2);
}
const mutated = found.isDirectory() ? `${source}/**/*.ts,!${source}/**/*.test.ts` : source;
const { status } = spawnSync("stryker", ["run", "--mutate", mutated], {
  cwd: projectRoot,
  stdio: "inherit",
});
process.exit(status ?? 1);
