/**
 * The simulation at length: `npm run simulate`. `SIM_RUNS` (1,000) runs from `SIM_SEED` on, each of a seed of its own
 * that is printed when it fails; the suite runs the first 400 of them for every change.
 */
import { spawnSync } from "node:child_process";
import { projectRoot } from "./project-root.ts";

const { status } = spawnSync(
  "npx",
  ["vitest", "run", "--project", "node", "--testTimeout=600000", "test/simulation"],
  {
    cwd: projectRoot,
    stdio: "inherit",
    env: { ...process.env, SIM_RUNS: process.env["SIM_RUNS"] ?? "1000" },
  },
);
process.exit(status ?? 1);
