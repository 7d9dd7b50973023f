/** Runs every check, fastest first, and stops at the first failure: `npm run verify`. */
import { spawnSync } from "node:child_process";
import { projectRoot } from "./files/project-root.ts";

const steps: readonly (readonly [name: string, script: string])[] = [
  ["format", "format:check"],
  ["lint", "lint"],
  ["types", "types"],
  ["types of the bindings", "types:bindings:check"],
  ["unused code", "unused"],
  ["build", "build"],
  ["contract", "contract"],
  ["tests", "test"],
];

const startedMs = Date.now();
for (const [name, script] of steps) {
  const stepMs = Date.now();
  const { status } = spawnSync("npm", ["run", "--silent", script], {
    cwd: projectRoot,
    stdio: "inherit",
  });
  const seconds = ((Date.now() - stepMs) / 1000).toFixed(1);
  if (status !== 0) {
    console.error(`✗ ${name} failed after ${seconds} s: npm run ${script}`);
    process.exit(1);
  }
  console.log(`✓ ${name} (${seconds} s)`);
}
console.log(`All checks passed in ${((Date.now() - startedMs) / 1000).toFixed(0)} s.`);
