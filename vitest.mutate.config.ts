/** What `npm run mutate` runs: the tests beside pure sources, without the projects that start Workers. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/{engine,importers,platform,schema}/**/*.test.ts"],
    environment: "node",
    isolate: false,
    testTimeout: 30_000,
    provide: { depth: { isDeep: false, seed: 1 } },
  },
});
