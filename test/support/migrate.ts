import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { providerFor } from "#providers/registry.ts";

const { TEST_MIGRATIONS } = env as unknown as { TEST_MIGRATIONS: D1Migration[] };
await applyD1Migrations(env.DB, TEST_MIGRATIONS);
// Loaded ahead: the test's own loader never ends an import whose object is killed half-way.
await providerFor("mock");
