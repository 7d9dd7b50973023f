/**
 * The least that Hono and D1 can do for each thing the benchmark measures: no authentication, no validation, no
 * view, one statement. Whatever the service costs above this is its own.
 */
import type { D1Database } from "@cloudflare/workers-types";
import { Hono } from "hono";

interface Env {
  DB: D1Database;
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

/** Six lanes that only wait: how long so many steps take on this machine when nobody orchestrates them. */
app.get("/wait", async (c) => {
  const steps = Number(c.req.query("steps"));
  const latencyMs = Number(c.req.query("latencyMs"));
  const startedMs = Date.now();
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < steps) {
      begun += 1;
      await new Promise((resolve) => {
        setTimeout(resolve, latencyMs);
      });
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  return c.json({ wallMs: Date.now() - startedMs });
});

// oxlint-disable-next-line import/no-default-export -- the runtime asks for it
export default app;
