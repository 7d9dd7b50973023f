import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

const migrations = await readD1Migrations("migrations");

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["src/**/*.test.ts", "scripts/**/*.test.ts", "lint/**/*.test.ts"],
          environment: "node",
        },
      },
      {
        extends: true,
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: migrations,
                CHECK_ANSWERS: "on",
                RATE_LIMITS: "off",
                SERVER_TIMING: "on",
                WEBHOOK_ALLOW_INSECURE: "on",
                BOOTSTRAP_API_KEY: "test-operator-key",
                SEALING_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
              },
            },
          }),
        ],
        test: {
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: ["test/processes/**"],
          setupFiles: ["test/support/migrate.ts", "test/support/tenancy-setup.ts"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: "processes",
          include: ["test/processes/**/*.test.ts"],
          environment: "node",
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
