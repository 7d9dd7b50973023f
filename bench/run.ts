/** `npm run bench`: every figure, each with a fresh state. Ends with 1 when one is outside its limit. */
import { benchDeployLatency } from "./deploy-latency.ts";
import { benchDeployment } from "./deployment.ts";
import { benchHttp } from "./http.ts";
import { startWorkers } from "./start-workers.ts";
import { benchWebhooks } from "./webhooks.ts";

for (const bench of [benchDeployment, benchDeployLatency, benchWebhooks, benchHttp]) {
  const workers = await startWorkers();
  try {
    if (!(await bench(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
if (process.exitCode === 1) console.error("\nA figure is outside its limit.");
