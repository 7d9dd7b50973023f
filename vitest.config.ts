import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { operatorIdentity } from "./test/support/operator-identity.ts";
import { sessionProvider } from "./test/support/session-provider.ts";

const migrations = await readD1Migrations("migrations");

const outsideWorkerd = [
  "test/sdk/types.test.ts",
  "test/simulation/*.test.ts",
  "test/processes/**",
  "test/browser/**",
];

/**
 * Suites that read what belongs to everybody (all webhooks, all flags, the platform's targets, all that is open or
 * due), that measure, that listen to every call, or that move the clock: ids never go back.
 */
const alone = [
  "test/attacks/*.test.ts",
  "test/areas/ofrep.test.ts",
  "test/areas/oidc*.test.ts",
  "test/areas/schedules.test.ts",
  "test/areas/status.test.ts",
  "test/areas/template-versions.test.ts",
  "test/areas/templates.test.ts",
  "test/contract/fuzz-*.test.ts",
  "test/contract/idempotency.test.ts",
  "test/contract/tracing.test.ts",
  "test/faults/deliveries*.test.ts",
  "test/faults/random-crashes.test.ts",
  "test/orchestrator/throughput.test.ts",
];

const workerdTest = {
  setupFiles: [
    "test/support/migrate.ts",
    "test/support/tenancy-setup.ts",
    "test/support/event-setup.ts",
  ],
  testTimeout: 30_000,
};

const inWorkerd = () =>
  cloudflareTest({
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      bindings: {
        TEST_MIGRATIONS: migrations,
        CHECK_ANSWERS: "on",
        RATE_LIMITS: "off",
        SERVER_TIMING: "on",
        FUZZ_CASES: process.env["FUZZ_CASES"] ?? "",
        FUZZ_SEED: process.env["FUZZ_SEED"] ?? "",
        WEBHOOK_ALLOW_INSECURE: "on",
        BOOTSTRAP_API_KEY: "test-operator-key",
        // Where whoever is signed in by test/support/sessions.ts came from.
        OIDC_PROVIDERS: JSON.stringify([sessionProvider]),
        OPERATORS: `${operatorIdentity.issuer}|${operatorIdentity.subject}`,
        SEALING_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      },
    },
  });

export default defineConfig({
  test: {
    // The default leaves one core of two idle.
    maxWorkers: 2,
    // A Durable Object that an alarm wakes after a suite's last test asks the test's loader for its code; the loader
    // is closing then. Nothing of a test is in it: what a test awaits fails that test.
    onUnhandledError: ({ name, message }) =>
      !(
        name === "EnvironmentTeardownError" &&
        message.endsWith('Closing rpc while "resolve" was pending')
      ),
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: [
            "src/**/*.test.{ts,tsx}",
            "scripts/**/*.test.ts",
            "lint/**/*.test.ts",
            "test/sdk/types.test.ts",
            "test/simulation/*.test.ts",
          ],
          environment: "node",
        },
      },
      {
        extends: true,
        plugins: [inWorkerd()],
        test: {
          ...workerdTest,
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: [...outsideWorkerd, ...alone],
          // Files share two Workers: starting one takes longer than most files run. Every suite makes its own
          // tenant, so what others leave behind is no concern of it.
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [inWorkerd()],
        test: {
          ...workerdTest,
          name: "workerd-alone",
          include: alone,
          globalSetup: ["test/processes/sign-in-provider.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "processes",
          include: ["test/processes/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
