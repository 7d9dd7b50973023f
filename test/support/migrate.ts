import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";

// Suites share a Worker and its database: the first one migrates it.
const worker = globalThis as typeof globalThis & { isMigrated?: true };
if (worker.isMigrated === undefined) {
  const { TEST_MIGRATIONS } = env as unknown as { TEST_MIGRATIONS: D1Migration[] };
  await applyD1Migrations(env.DB, TEST_MIGRATIONS);
  worker.isMigrated = true;
}
