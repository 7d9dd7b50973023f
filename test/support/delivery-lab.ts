/**
 * The delivery consumer with a manual clock, queues that only record messages, and receivers that are a
 * function.
 */
import { createMessageBatch, createExecutionContext, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { v7 } from "uuid";
import { expect, vi } from "vitest";
import type { DeliverParts } from "#areas/webhooks/delivery/deliver-parts.ts";
import { deliver } from "#areas/webhooks/delivery/deliver.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { type DeliveryRef, event, eventStatements } from "#kernel/outbox/outbox.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { newId } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { type Answer, makeTenant, type TestTenant } from "#test/support/api.ts";

export const url = "https://hooks.example.com/in";

/** Discards the real queue's messages, which changes through the API send. Call it once. */
export function silenceRealQueue(): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));
}

export interface QueuedMessage extends DeliveryRef {
  queue: "fast" | "slow";
  delaySeconds: number;
}

export interface Received {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Sample data of an event, as src/areas/docs/event-payloads.ts declares it. */
export const dataOf: Partial<Record<EventType, JsonMap>> = {
  "instance.created": { state: "INITIALIZED", instanceUrl: "/api/v1/instances/1" },
};

type Outside = (request: Request) => Promise<Response> | Response;

export function makeLab(more: Partial<DeliverParts> = {}) {
  const queued: QueuedMessage[] = [];
  const received: Received[] = [];
  const queue = (name: QueuedMessage["queue"]) =>
    ({
      sendBatch: async (messages: Iterable<MessageSendRequest<DeliveryRef>>) => {
        for (const { body, delaySeconds = 0 } of messages)
          queued.push({ ...body, queue: name, delaySeconds });
      },
    }) as unknown as Queue;
  const labEnv = {
    ...env,
    WEBHOOKS_QUEUE: queue("fast"),
    WEBHOOKS_SLOW_QUEUE: queue("slow"),
  } as Bindings;
  const lab = {
    env: labEnv,
    nowMs: Date.now(),
    queued,
    received,
    outside: (() => new Response("ok")) as Outside,
    lane: "fast" as DeliverParts["lane"],
    /** Ids with the lab's time. */
    newId: () => v7({ msecs: lab.nowMs }),
    /** Runs the consumer with these messages, until all is recorded, and returns the queue's result. */
    async run(bodies: readonly unknown[], parts: Partial<DeliverParts> = {}) {
      const batch = createMessageBatch(
        "control-webhooks",
        bodies.map((body) => ({ id: newId(), timestamp: new Date(0), attempts: 1, body })),
      );
      const background: Promise<unknown>[] = [];
      await deliver(batch, {
        env: labEnv,
        lane: lab.lane,
        now: () => lab.nowMs,
        newId: lab.newId,
        random: () => 0.5,
        timeoutMs: 5_000,
        patienceMs: 60_000,
        slowAfterMs: 60_000,
        after: (work) => background.push(work),
        fetch: async (request) => {
          received.push({
            url: request.url,
            headers: Object.fromEntries(request.headers),
            body: await request.clone().text(),
          });
          return lab.outside(request);
        },
        ...more,
        ...parts,
      });
      const result = getQueueResult(batch, createExecutionContext());
      await Promise.all(background);
      return result;
    },
    /**
     * Commits an event as a change would, and returns its deliveries. `count`: this many events in one
     * commit.
     */
    async publish(
      tenantId: string,
      type: EventType = "instance.created",
      count = 1,
    ): Promise<DeliveryRef[]> {
      const db = openDb(env.DB);
      const statements = Array.from({ length: count }, () => {
        const entry = event(type, { tenantId, id: lab.newId(), sequence: 1 }, dataOf[type]);
        return eventStatements(db, entry, { id: lab.newId(), env: labEnv, atMs: lab.nowMs });
      });
      const results = await runBatch(db, statements.flat());
      return results.filter((_, at) => at % 2 === 1).flatMap((made) => made as DeliveryRef[]);
    },
  };
  return lab;
}

export async function makeWebhook(
  tenant: Pick<TestTenant, "post">,
  events = ["instance.*"],
): Promise<Answer["body"]> {
  const made = await tenant.post("/webhooks", { url, events });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** A tenant with one webhook, and a delivery to it. */
export async function scene(more: Partial<DeliverParts> = {}) {
  const lab = makeLab(more);
  const mine = await makeTenant();
  const webhook = await makeWebhook(mine);
  const [delivery] = await lab.publish(mine.tenantId);
  if (delivery === undefined) throw new Error("The event made no delivery");
  const log = async (of: DeliveryRef = delivery): Promise<Answer["body"]> =>
    (await mine.get(`/webhooks/${webhook.id}/deliveries/${of.id}`)).body;
  const state = async (): Promise<Answer["body"]> =>
    (await mine.get(`/webhooks/${webhook.id}`)).body;
  return { lab, mine, webhook, delivery, log, state };
}

/** A D1 whose n-th batch from now fails, before or after its commit. */
export function failingDb(nth: number, when: "before" | "after"): D1Database {
  let batches = 0;
  return {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      batches += 1;
      if (batches === nth && when === "before") throw new Error("D1_ERROR: gone");
      const results = await env.DB.batch(statements);
      if (batches === nth) throw new Error("D1_ERROR: gone after the commit");
      return results;
    },
  } as unknown as D1Database;
}

/** A D1 that calls `committed` after its n-th batch, and waits for it before it returns the results. */
export function observedDb(committed: (batch: number) => void | Promise<void>): D1Database {
  let batches = 0;
  return {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await env.DB.batch(statements);
      await committed((batches += 1));
      return results;
    },
  } as unknown as D1Database;
}
