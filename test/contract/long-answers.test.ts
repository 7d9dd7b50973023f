/** Answers that are too long to be stored for a repeated request (decision 0005). */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { takesIdempotencyKey } from "#http/endpoint.ts";
import { readerFor } from "#http/repeated/answer-readers.ts";
import { MAX_STORED_BYTES } from "#kernel/call/idempotency.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { makeUnlimitedTenant, operator, send } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { silenceRealQueue } from "#test/support/delivery-lab.ts";

silenceRealQueue();
const tenant = await makeUnlimitedTenant();
const source = "name: notes\nruntime: yaml\nconfig:\n  note: { type: string, default: none }\n";
const [targetId, templateId] = await Promise.all([
  makeTarget(tenant),
  makeTemplate(tenant, source),
]);
const note = "n".repeat(40_000);
const labels = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [`k${at}`, "v".repeat(60)]),
);

async function longestStored(): Promise<number> {
  const row = await env.DB.prepare(
    "SELECT max(octet_length(body) + octet_length(headers)) AS n FROM idempotency_keys",
  ).first<{ n: number }>();
  return row?.n ?? 0;
}

const replayed = (answer: { headers: Headers }) => answer.headers.get("idempotent-replayed");

it("every change answers what can be read again, or is declared to answer shortly", () => {
  const without = endpoints
    .filter(
      (one) => takesIdempotencyKey(one) && one.answer.schema !== undefined && one.shows !== null,
    )
    .filter((one) => readerFor(one) === undefined)
    .map(({ method, path }) => `${method} ${path}`);
  expect(without).toEqual([]);
});

describe("a repeated request with a long answer", () => {
  it("answers the same while the object is the same, and stores no copy of it", async () => {
    const id = await makeInstance(tenant, templateId, targetId);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const change = () => tenant.patch(`/instances/${id}`, { variables: { note } }, headers);
    const first = await change();
    expect(first.status, first.text.slice(0, 300)).toBe(200);
    const again = await change();
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, "true"]);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(roundTripsOf(again)).toBeLessThanOrEqual(2);
    expect(await longestStored()).toBeLessThanOrEqual(MAX_STORED_BYTES + 500);
  });

  it("answers the object as it is now once it has changed, and 404 once it is gone", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { name: "long", templateId, targetId, variables: { note } };
    const make = () => tenant.post("/instances", body, headers);
    const first = await make();
    expect(first.status).toBe(201);
    await tenant.patch(`/instances/${first.body.id}`, { name: "renamed" });
    const again = await make();
    expect([again.status, again.body.name, replayed(again)]).toEqual([201, "renamed", "true"]);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(again.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect((await tenant.delete(`/instances/${first.body.id}`)).status).toBe(204);
    const gone = await make();
    expect([gone.status, gone.body.code]).toEqual([404, "not_found"]);
    expect(gone.body.detail).toContain("was carried out");
  });

  it("answers a secret that is shown once, sealed until then", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = {
      url: `https://hooks.example.com/${"p".repeat(1_900)}`,
      events: ["*"],
      description: "d".repeat(200),
      labels,
    };
    const make = () => tenant.post("/webhooks", body, headers);
    const first = await make();
    expect(first.status, first.text.slice(0, 300)).toBe(201);
    expect(first.text.length).toBeGreaterThan(MAX_STORED_BYTES);
    const again = await make();
    expect(again.body).toEqual(first.body);
    expect(again.body.secret).toMatch(/^whsec_/);
    const stored = await env.DB.prepare("SELECT body FROM idempotency_keys WHERE is_part = 1").all<{
      body: string;
    }>();
    expect(stored.results.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored.results)).not.toContain(first.body.secret.slice(8));
  });

  it("answers what it sent itself where nothing reads it again", async () => {
    const opened = { title: "Slow", message: "It is slow.", status: "INVESTIGATING" };
    const { id } = (await tenant.post("/incidents", opened)).body;
    const headers = { "idempotency-key": crypto.randomUUID() };
    const update = { status: "MONITORING", message: "ü".repeat(5_000) };
    const post = () => tenant.post(`/incidents/${id}/updates`, update, headers);
    const first = await post();
    const again = await post();
    expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, "true"]);
  });

  it("is answered to a key that may write and not read", async () => {
    const made = await operator.post("/api-keys", {
      name: "writer",
      scopes: ["imports:write"],
      tenantId: tenant.tenantId,
    });
    const headers = {
      "idempotency-key": crypto.randomUUID(),
      authorization: `Bearer ${made.body.key}`,
    };
    const files = Array.from({ length: 50 }, (_, at) => ({ path: `f${at}.txt`, content: "x" }));
    const post = () =>
      send("POST", "/imports", {
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ files }),
      });
    const first = await post();
    expect(first.status).toBe(201);
    const again = await post();
    expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, "true"]);
  });
});
