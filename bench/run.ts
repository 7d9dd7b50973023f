/** `npm run bench`: runs every benchmark with fresh state. Exits with 1 when a result is outside its limit. */
import { benchCheck } from "./check.ts";
import { benchDeployLatency } from "./deploy-latency.ts";
import { benchDeployment } from "./deployment.ts";
import { benchHttp } from "./http.ts";
import { benchSlowReceivers } from "./slow-receivers.ts";
import { startWorkers } from "./start-workers.ts";
import { benchWebhooks } from "./webhooks.ts";

for (const bench of [
  benchDeployment,
  benchDeployLatency,
  benchWebhooks,
  benchSlowReceivers,
  benchHttp,
  benchCheck,
]) {
  const workers = await startWorkers({}, { assets: bench === benchCheck });
  try {
    if (!(await bench(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
if (process.exitCode === 1) console.error("\nA result is outside its limit.");
