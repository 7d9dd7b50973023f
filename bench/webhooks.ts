/**
 * Webhooks per second: deliveries that are claimed, signed, sent and recorded, compared with a bare queue consumer with
 * the same settings that only fetches. Both send the same bytes to the same receiver, alternately.
 */
import type { Named } from "../scripts/client/client.ts";
import { type LoopbackServer, startLoopbackServer } from "../scripts/service/loopback-server.ts";
import { printTable } from "./print-table.ts";
import { median } from "./ratio.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { makeTenant } from "./tenant.ts";

const DELIVERIES = 600;
const ROUNDS = 7;
const WARM_UP_ROUNDS = 1;
const MIN_RATIO = 0.5;
const WITHIN_MS = 60_000;

/** Returns true when the result is within its limit. */
export async function benchWebhooks(workers: Workers): Promise<boolean> {
  const senders = await startSenders(workers);
  try {
    const service: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      const bareRate = await senders.bare();
      const rate = await senders.service();
      if (round < WARM_UP_ROUNDS) continue;
      bare.push(bareRate);
      service.push(rate);
    }
    const ratios = service.map((rate, at) => rate / (bare[at] ?? Number.NaN));
    const ratio = median(ratios);
    printTable(
      `Webhooks per second (${ROUNDS} alternating rounds of ${DELIVERIES})`,
      ["", "median", "min", "max"],
      [
        row("bare consumer that only fetches", bare, 0),
        row("deliveries", service, 0),
        row("ratio", ratios, 2),
        ["limit", String(MIN_RATIO), "", ""],
      ],
    );
    return ratio >= MIN_RATIO;
  } finally {
    await senders.close();
  }
}

/** Each sends one round to the same receiver, waits until it is recorded, and returns requests per second. */
export interface Senders {
  bare: () => Promise<number>;
  service: () => Promise<number>;
  close: () => Promise<void>;
}

export async function startSenders(workers: Workers): Promise<Senders> {
  const receiver = await startCounter();
  try {
    const { client, tenantId } = await makeTenant(workers);
    const webhook = await client.post<Named>("/webhooks", {
      url: receiver.url,
      events: ["webhook.test"],
    });
    const body = JSON.stringify({ id: "x".repeat(36), type: "bench", data: "x".repeat(400) });
    return {
      bare: () => {
        const posts = { url: receiver.url, body, count: DELIVERIES };
        return receiver.rate(DELIVERIES, () => post(workers, "/posts", posts));
      },
      service: async () => {
        const made = { tenantId, webhookId: webhook.id, body, count: DELIVERIES };
        const { ids } = (await (await post(workers, "/deliveries", made)).json()) as {
          ids: string[];
        };
        const rate = await receiver.rate(DELIVERIES, () =>
          post(workers, "/notify", { tenantId, ids }),
        );
        await untilRecorded(client, webhook.id);
        return rate;
      },
      close: () => receiver.close(),
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

function row(name: string, values: readonly number[], digits: number): string[] {
  return [name, median(values), Math.min(...values), Math.max(...values)].map((cell) =>
    typeof cell === "number" ? cell.toFixed(digits) : cell,
  );
}

async function post(workers: Workers, path: string, body: object): Promise<Response> {
  const response = await fetch(workers.bare + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} of the bare Worker answered ${response.status}.`);
  return response;
}

/** Waits until all deliveries are recorded, so that rounds do not overlap. */
async function untilRecorded(
  client: { get: <T>(path: string) => Promise<T> },
  webhookId: string,
): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  for (;;) {
    const open = await client.get<{ data: unknown[] }>(
      `/webhooks/${webhookId}/deliveries?status=PENDING&limit=1`,
    );
    if (open.data.length === 0) return;
    if (performance.now() > endMs) throw new Error("Deliveries stayed pending.");
  }
}

interface Counter extends LoopbackServer {
  /** Calls `begin` and returns requests per second, from the first to the last of `count` requests. */
  rate: (count: number, begin: () => Promise<unknown>) => Promise<number>;
}

async function startCounter(): Promise<Counter> {
  let onRequest = (): void => undefined;
  const server = await startLoopbackServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(204).end();
      onRequest();
    });
  });
  return {
    ...server,
    rate: async (count, begin) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      let seen = 0;
      let firstMs = 0;
      onRequest = () => {
        seen += 1;
        if (seen === 1) firstMs = performance.now();
        if (seen === count) resolve(((count - 1) * 1000) / (performance.now() - firstMs));
      };
      const timer = setTimeout(
        () =>
          reject(new Error(`Only ${seen} of ${count} requests arrived within ${WITHIN_MS} ms.`)),
        WITHIN_MS,
      );
      try {
        await begin();
        return await promise;
      } finally {
        clearTimeout(timer);
        onRequest = () => undefined;
      }
    },
  };
}

if (import.meta.main) {
  const workers = await startWorkers();
  try {
    if (!(await benchWebhooks(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
