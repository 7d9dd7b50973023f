/**
 * The long simulation: `npm run simulate`. `SIM_RUNS` (default 1,000) runs with consecutive seeds from `SIM_SEED`; a
 * failing run prints its seed. The test suite runs the first 400.
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
