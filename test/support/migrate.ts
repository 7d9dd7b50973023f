import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { providerFor } from "#providers/registry.ts";

// Suites share a Worker and its database: the first one migrates it.
const worker = globalThis as typeof globalThis & { isMigrated?: true };
if (worker.isMigrated === undefined) {
  const { TEST_MIGRATIONS } = env as unknown as { TEST_MIGRATIONS: D1Migration[] };
  await applyD1Migrations(env.DB, TEST_MIGRATIONS);
  // Preloaded: the test loader hangs on an import whose object is killed midway.
  await providerFor("mock");
  worker.isMigrated = true;
}
