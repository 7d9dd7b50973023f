import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { unstable_readConfig } from "wrangler";
import { ensureBrowserScripts } from "./scripts/browser/ensure-browser-scripts.ts";
import { ensureAwsCatalogue } from "./scripts/catalogue/ensure-aws-catalogue.ts";
import { ensureOutputs } from "./scripts/catalogue/ensure-outputs.ts";
import { ensureMappings } from "./scripts/mappings/ensure-mappings.ts";
import { ensureReference } from "./scripts/reference/ensure-reference.ts";
import { keepTemporaryFilesInMemory } from "./test/memory-disk.ts";
import { RunReporter } from "./test/run-reporter.ts";
import { seedOfRun } from "./test/seed-of-run.ts";
import type { Depth } from "./test/support/depth.ts";
import { MISTAKES_PAGE } from "./test/support/mistakes-page.ts";
import { operatorIdentity } from "./test/support/operator-identity.ts";
import { sessionProvider } from "./test/support/session-provider.ts";
import { WaitingFirst } from "./test/waiting-first.ts";

keepTemporaryFilesInMemory();
await ensureAwsCatalogue();
await ensureOutputs();
await ensureMappings();
await ensureReference();
await ensureBrowserScripts();
const migrations = await readD1Migrations("migrations");

/** Picks the part of the deep tests that this run takes, and what it generates. */
const depth: Depth = {
  isDeep: process.env["TEST_DEPTH"] === "deep",
  seed: seedOfRun(process.env),
};

const outsideWorkerd = [
  "test/sdk/types.test.ts",
  "test/simulation/*.test.ts",
  "test/processes/**",
  "test/browser/**",
];

/** Bundled once: one by one, the modules of these packages are most of what a Worker loads. */
const bundled = [
  "@cfworker/json-schema",
  "@hono/zod-validator",
  "@noble/hashes/legacy.js",
  "@noble/hashes/sha2.js",
  "aws4fetch",
  "croner",
  "drizzle-orm",
  "drizzle-orm/d1",
  "drizzle-orm/sqlite-core",
  "fast-check",
  "hono",
  "hono/hono-base",
  "hono/html",
  "hono/http-exception",
  "hono/jsx/jsx-runtime",
  "hono/route",
  "hono/router/trie-router",
  "jose",
  "oauth4webapi",
  "oslo",
  "oslo/cookie",
  "oslo/crypto",
  "oslo/encoding",
  "oslo/oauth2",
  "rfc6902",
  "standardwebhooks",
  "uuid",
  "yaml",
  "zod",
];

/**
 * What Vite made of a module is kept for the next run, by its text and this configuration; what else decides on it is in
 * the folder's name. Not in workerd, where a module names the bundle of a package by a version that Vite makes anew.
 */
const keptModules = {
  fsModuleCache: true,
  fsModuleCachePath: `node_modules/.cache/vitest-modules/${digestOf("package.json", "tsconfig.json", "tsconfig.node.json")}`,
};

function digestOf(...files: readonly string[]): string {
  const digest = createHash("sha256");
  for (const file of files) digest.update(readFileSync(file));
  return digest.digest("hex").slice(0, 16);
}

const inWorkerd = cloudflareTest({
  wrangler: { configPath: "./wrangler.toml" },
  miniflare: {
    bindings: {
      // Wrangler's options hold what a developer's `.dev.vars` sets, which must not change a test.
      ...unstable_readConfig({ config: "./wrangler.toml" }).vars,
      IDENTITY_KEYS: "",
      LICENSE_KEY: "",
      LICENSE_PUBLIC_KEY: "",
      TEST_MIGRATIONS: migrations,
      CHECK_ANSWERS: "on",
      RATE_LIMITS: "off",
      SERVER_TIMING: "on",
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
    provide: { depth, mistakes: readFileSync(MISTAKES_PAGE, "utf8") },
    reporters: ["default", new RunReporter(depth.seed)],
    // As many as the smallest machine has cores: a third loads all modules of the service once more.
    maxWorkers: 2,
    sequence: { sequencer: WaitingFirst },
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
          experimental: keptModules,
          include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "lint/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
          // Pure logic: a process for each file takes longer than the files.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "simulation",
          include: ["test/sdk/types.test.ts", "test/simulation/*.test.ts"],
          environment: "node",
          // Node loads the whole service in a part of the time that Vite takes.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          execArgv: ["--import", "./test/simulation/load-worker.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        plugins: [inWorkerd],
        test: {
          name: "workerd",
          include: ["test/**/*.test.ts"],
          exclude: outsideWorkerd,
          globalSetup: ["test/processes/sign-in-provider.ts"],
          setupFiles: [
            "test/support/load-once.ts",
            "test/support/migrate.ts",
            "test/support/tenancy-setup.ts",
            "test/support/plan-setup.ts",
            "test/support/event-setup.ts",
          ],
          testTimeout: 30_000,
          deps: { optimizer: { ssr: { enabled: true, include: bundled } } },
          // Files share two Workers: starting one takes longer than most files run. Every suite makes its own
          // tenant, so what others leave behind is no concern of it; test/support/empty-database.ts is for those
          // that process whatever is there.
          isolate: false,
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
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
          hookTimeout: 120_000,
          globalSetup: ["test/browser/shared-service.ts"],
        },
      },
    ],
  },
});
