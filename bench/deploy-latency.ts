/**
 * Latency from the deploy call to `deployment.started` at a webhook receiver, compared with one insert through the bare
 * Worker. Both are measured alternately in one run, one at a time.
 */
import type { Deployment, Named } from "../scripts/client/client.ts";
import { startEventReceiver } from "./event-receiver.ts";
import { layeredTemplate } from "./layered-template.ts";
import { printTable } from "./print-table.ts";
import { quantile } from "./ratio.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { makeInstance, makeTenant } from "./tenant.ts";

const ROUNDS = 200;
const WARM_UP_ROUNDS = 20;
const MAX_RATIO = 15;
const WITHIN_MS = 20_000;

/** Returns true when the result is within its limit. */
export async function benchDeployLatency(workers: Workers): Promise<boolean> {
  const receiver = await startEventReceiver();
  try {
    const tenant = await makeTenant(workers);
    const { client } = tenant;
    await client.post("/webhooks", { url: receiver.url, events: ["deployment.*"] });
    const instanceId = await makeInstance(tenant, layeredTemplate(1, 1), {});
    const startedMs: number[] = [];
    const insertMs: number[] = [];
    let lastEvent = "deployment.succeeded";
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      const insert = await timeOfInsert(workers, tenant.tenantId);
      const fromMs = performance.now();
      const { id } = await client.post<Deployment & Named>(`/instances/${instanceId}/deploy`);
      const arrivedMs = await receiver.arrival("deployment.started", id, WITHIN_MS);
      // Wait for the end of the run, so that rounds do not overlap.
      await receiver.arrival(lastEvent, id, WITHIN_MS);
      lastEvent = "deployment.no_changes";
      if (round < WARM_UP_ROUNDS) continue;
      insertMs.push(insert);
      startedMs.push(arrivedMs - fromMs);
    }
    const ratio = quantile(startedMs, 0.95) / quantile(insertMs, 0.95);
    printTable(
      `From the deploy call to deployment.started at a receiver (${ROUNDS} rounds, one at a time)`,
      ["", "p50", "p95"],
      [
        row("one D1 insert, bare", insertMs),
        row("deployment.started", startedMs),
        [
          "ratio",
          (quantile(startedMs, 0.5) / quantile(insertMs, 0.5)).toFixed(2),
          ratio.toFixed(2),
        ],
        ["limit", "", String(MAX_RATIO)],
      ],
    );
    return ratio <= MAX_RATIO;
  } finally {
    await receiver.close();
  }
}

function row(name: string, values: readonly number[]): string[] {
  return [name, ...[0.5, 0.95].map((share) => `${quantile(values, share).toFixed(2)} ms`)];
}

async function timeOfInsert(workers: Workers, tenantId: string): Promise<number> {
  const fromMs = performance.now();
  const response = await fetch(`${workers.bare}/templates`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-tenant": tenantId },
    body: JSON.stringify({ name: "A template", description: "Of the benchmark." }),
  });
  await response.text();
  if (response.status !== 201) throw new Error(`The bare Worker answered ${response.status}.`);
  return performance.now() - fromMs;
}

if (import.meta.main) {
  const workers = await startWorkers();
  try {
    if (!(await benchDeployLatency(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
