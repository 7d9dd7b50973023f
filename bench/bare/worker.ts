/**
 * The minimal implementation with Hono and D1 of each benchmarked operation: no authentication, no validation, no view,
 * one statement. The service's cost above this is its own.
 */
import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

interface Env {
  DB: D1Database;
  BARE_RUNNER: DurableObjectNamespace<BareRunner>;
  BARE_CLOUD: DurableObjectNamespace<BareCloud>;
  BARE_QUEUE: Queue<Post>;
  /** The service's queue. */
  WEBHOOKS_QUEUE: Queue<{ tenantId: string; id: string }>;
}

/** One request that the bare consumer makes. */
interface Post {
  url: string;
  body: string;
}

/** Writes one row before and one after each call and waits for the disk: the minimum of any journal. */
export class BareRunner extends DurableObject<Env> {
  async run(steps: number, latencyMs: number): Promise<{ wallMs: number }> {
    const { storage } = this.ctx;
    storage.sql.exec("CREATE TABLE journal (seq INTEGER PRIMARY KEY, entry TEXT)");
    const clouds = this.env.BARE_CLOUD;
    const cloud = clouds.get(clouds.newUniqueId());
    const note = async (entry: string): Promise<void> => {
      storage.sql.exec("INSERT INTO journal (entry) VALUES (?)", entry);
      await storage.sync();
    };
    let started = 0;
    const worker = async (): Promise<void> => {
      while (started < steps) {
        started += 1;
        await note("intent");
        const response = await cloud.fetch(`https://cloud.invalid/?latencyMs=${latencyMs}`);
        await note(await response.text());
      }
    };
    const startedMs = Date.now();
    await Promise.all(Array.from({ length: 6 }, worker));
    return { wallMs: Date.now() - startedMs };
  }
}

/** Writes one row and answers after the latency, like the mock cloud. */
export class BareCloud extends DurableObject<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS objects (seq INTEGER PRIMARY KEY, id TEXT)");
    sql.exec("INSERT INTO objects (id) VALUES (?)", crypto.randomUUID());
    const latencyMs = Number(new URL(request.url).searchParams.get("latencyMs"));
    await new Promise((resolve) => {
      setTimeout(resolve, latencyMs);
    });
    return new Response("done");
  }
}

const app = new Hono<{ Bindings: Env }>();

app.get("/hello", (c) => c.json({ hello: "world" }));

app.get("/templates/:id", async (c) =>
  c.json(
    await c.env.DB.prepare("SELECT * FROM templates WHERE id = ?").bind(c.req.param("id")).first(),
  ),
);

app.get("/templates", async (c) => {
  const { results } = await c.env.DB.prepare(
    "SELECT * FROM templates WHERE tenant_id = ? ORDER BY id DESC LIMIT 20",
  )
    .bind(c.req.query("tenantId"))
    .all();
  return c.json({ data: results });
});

app.post("/templates", async (c) => {
  const { name, description } = await c.req.json<{ name: string; description: string }>();
  const id = crypto.randomUUID();
  const nowMs = Date.now();
  await c.env.DB.prepare(
    `INSERT INTO templates (id, tenant_id, name, search_text, description, latest_version, version, created_at_ms, updated_at_ms)
      VALUES (?1, ?2, ?3, upper(?3), ?4, 0, 1, ?5, ?5)`,
  )
    .bind(id, c.req.header("x-tenant"), name, description, nowMs)
    .run();
  return c.json({ id, name, description }, 201);
});

/** Runs the same number of steps without planning or projections; `BareRunner` returns the duration. */
app.get("/run", async (c) => {
  const runners = c.env.BARE_RUNNER;
  const runner = runners.get(runners.newUniqueId());
  return c.json(await runner.run(Number(c.req.query("steps")), Number(c.req.query("latencyMs"))));
});

/** Inserts deliveries of one event to a webhook of the service, as a change commits them, without notifying the queue. */
app.post("/deliveries", async (c) => {
  const { tenantId, webhookId, body, count } = await c.req.json<{
    tenantId: string;
    webhookId: string;
    body: string;
    count: number;
  }>();
  const nowMs = Date.now();
  const eventId = crypto.randomUUID();
  const ids = Array.from({ length: count }, () => crypto.randomUUID());
  await c.env.DB.batch([
    c.env.DB.prepare(
      `INSERT INTO events (tenant_id, id, type, resource_type, resource_id, payload, created_at_ms)
       VALUES (?, ?, 'bench', 'bench', 'bench', ?, ?)`,
    ).bind(tenantId, eventId, body, nowMs),
    c.env.DB.prepare(
      `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
         attempts, manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
       SELECT ?1, value, ?2, ?1, ?3, 'bench', 'PENDING', 0, 0, ?4, 0, ?4, ?4 FROM json_each(?5)`,
    ).bind(tenantId, webhookId, eventId, nowMs, JSON.stringify(ids)),
  ]);
  return c.json({ ids });
});

app.post("/notify", async (c) => {
  const { tenantId, ids } = await c.req.json<{ tenantId: string; ids: string[] }>();
  await sendAll(
    c.env.WEBHOOKS_QUEUE,
    ids.map((id) => ({ tenantId, id })),
  );
  return c.body(null, 204);
});

app.post("/posts", async (c) => {
  const { count, ...post } = await c.req.json<Post & { count: number }>();
  await sendAll(c.env.BARE_QUEUE, Array<Post>(count).fill(post));
  return c.body(null, 204);
});

async function sendAll<T>(queue: Queue<T>, bodies: readonly T[]): Promise<void> {
  for (let at = 0; at < bodies.length; at += 100)
    await queue.sendBatch(bodies.slice(at, at + 100).map((body) => ({ body })));
}

/** The minimal webhook sender: no database, no signature, no record. */
async function post({ url, body }: Post): Promise<void> {
  const response = await fetch(url, { method: "POST", body });
  await response.body?.cancel();
}

// oxlint-disable-next-line import/no-default-export -- required by the runtime
export default {
  fetch: app.fetch,
  queue: async (batch: MessageBatch<Post>) => {
    await Promise.all(batch.messages.map(({ body }) => post(body)));
  },
};
