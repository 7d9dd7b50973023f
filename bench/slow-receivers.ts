/**
 * Whether one tenant's receivers delay another's: twenty receivers of one tenant accept each request and never answer,
 * while another tenant's receiver answers at once. The time from a change of the other tenant to its webhook. Each round
 * has a new hanging tenant, because the service soon knows which receivers are slow.
 */
import type { Named } from "../scripts/client/client.ts";
import { type LoopbackServer, startLoopbackServer } from "../scripts/service/loopback-server.ts";
import { startEventReceiver } from "./event-receiver.ts";
import { printTable } from "./print-table.ts";
import { quantile } from "./ratio.ts";
import { startWorkers, type Workers, unique } from "./start-workers.ts";
import { type BenchTenant, makeTenant } from "./tenant.ts";

const HANGING = 20;
const ROUNDS = 20;
const MAX_MS = 1_000;
const WITHIN_MS = 300_000;

/** Returns true when the result is within its limit. */
export async function benchSlowReceivers(workers: Workers): Promise<boolean> {
  const [receiver, silent] = [await startEventReceiver(), await startSilentReceiver()];
  try {
    const good = await makeTenant(workers);
    await good.client.post("/webhooks", { url: receiver.url, events: ["target.created"] });
    const latency = async (): Promise<number> => {
      const startMs = performance.now();
      const id = await makeTarget(good);
      return (await receiver.arrival("target.created", id, WITHIN_MS)) - startMs;
    };
    const alone: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) alone.push(await latency());
    const beside: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const hanging = await makeTenant(workers);
      for (let made = 0; made < HANGING; made += 1)
        await hanging.client.post("/webhooks", { url: silent.url, events: ["target.created"] });
      await makeTarget(hanging);
      beside.push(await latency());
    }
    const p95 = quantile(beside, 0.95);
    printTable(
      `From a change to its webhook, in ms (${ROUNDS} rounds)`,
      ["", "p50", "p95", "max"],
      [
        row("alone", alone),
        row(`beside ${HANGING} receivers that never answer`, beside),
        ["limit", "", String(MAX_MS), ""],
      ],
    );
    return p95 <= MAX_MS;
  } finally {
    await Promise.all([receiver.close(), silent.close()]);
  }
}

function row(name: string, values: readonly number[]): string[] {
  const figures = [quantile(values, 0.5), quantile(values, 0.95), Math.max(...values)];
  return [name, ...figures.map((value) => value.toFixed(0))];
}

async function makeTarget({ client }: BenchTenant): Promise<string> {
  const target = await client.post<Named>("/cloud/targets", {
    provider: "mock",
    name: unique("bench"),
    environment: "sandbox",
    config: {},
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  });
  return target.id;
}

/** Reads each request and never answers. */
function startSilentReceiver(): Promise<LoopbackServer> {
  return startLoopbackServer((request) => {
    request.resume();
  });
}

if (import.meta.main) {
  const workers = await startWorkers();
  try {
    if (!(await benchSlowReceivers(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
