/**
 * The least that Hono and D1 can do for each thing the benchmark measures: no authentication, no validation, no
 * view, one statement. Whatever the service costs above this is its own.
 */
import { DurableObject } from "cloudflare:workers";
import { Hono } from "hono";

interface Env {
  DB: D1Database;
  BARE_RUNNER: DurableObjectNamespace<BareRunner>;
  BARE_CLOUD: DurableObjectNamespace<BareCloud>;
}

/** One row before each call and one after, each on disk before it goes on: what no journal can do without. */
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
    let begun = 0;
    const lane = async (): Promise<void> => {
      while (begun < steps) {
        begun += 1;
        await note("intent");
        const response = await cloud.fetch(`https://cloud.invalid/?latencyMs=${latencyMs}`);
        await note(await response.text());
      }
    };
    const startedMs = Date.now();
    await Promise.all(Array.from({ length: 6 }, lane));
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
  await c.env.DB.prepare("INSERT INTO templates VALUES (?1, ?2, ?3, ?4, 0, 1, ?5, ?5)")
    .bind(id, c.req.header("x-tenant"), name, description, nowMs)
    .run();
  return c.json({ id, name, description }, 201);
});

/** The same number of steps with nobody who plans, decides or projects: `BareRunner` says how long they took. */
app.get("/run", async (c) => {
  const runners = c.env.BARE_RUNNER;
  const runner = runners.get(runners.newUniqueId());
  return c.json(await runner.run(Number(c.req.query("steps")), Number(c.req.query("latencyMs"))));
});

// oxlint-disable-next-line import/no-default-export -- the runtime asks for it
export default app;
