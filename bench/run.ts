/** `npm run bench`: runs every benchmark with fresh state. Exits with 1 when a result is outside its limit. */
import { benchCheck } from "./check.ts";
import { benchDeployLatency } from "./deploy-latency.ts";
import { benchDeployment } from "./deployment.ts";
import { benchHttp } from "./http.ts";
import { benchImports } from "./imports.ts";
import { benchSlowReceivers } from "./slow-receivers.ts";
import { startWorkers } from "./start-workers.ts";
import { benchWebhooks } from "./webhooks.ts";

const withAssets: ReadonlySet<unknown> = new Set([benchCheck, benchImports]);

for (const bench of [
  benchDeployment,
  benchDeployLatency,
  benchWebhooks,
  benchSlowReceivers,
  benchHttp,
  benchCheck,
  benchImports,
]) {
  const workers = await startWorkers({}, { assets: withAssets.has(bench) });
  try {
    if (!(await bench(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
if (process.exitCode === 1) console.error("\nA result is outside its limit.");
