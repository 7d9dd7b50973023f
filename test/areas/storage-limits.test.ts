/** What a tenant can store is bounded: by the plan's limits, or by a number of the service. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { makeLab, makeWebhook, silenceRealQueue } from "#test/support/delivery-lab.ts";
import { SOURCE } from "#test/support/templates.ts";

silenceRealQueue();

const variables = { password: "correct horse" };

async function limit({ tenantId }: TestTenant, limits: object): Promise<void> {
  const set = await operator.patch(`/tenants/${tenantId}`, { limits });
  expect(set.status, set.text).toBe(200);
}

async function usedOf({ get, tenantId }: TestTenant, name: string): Promise<number> {
  return (await get(`/tenants/${tenantId}/usage`)).body[name].used;
}

async function rowsOf(table: string, { tenantId }: TestTenant, which = "1"): Promise<number> {
  const found = await env.DB.prepare(
    `SELECT count(*) AS rows FROM ${table} WHERE tenant_id = ? AND ${which}`,
  )
    .bind(tenantId)
    .first<{ rows: number }>();
  return found?.rows ?? 0;
}

const codes = (answers: readonly Answer[]) =>
  answers.map(({ status, body }) => String(body?.code ?? status)).toSorted();

describe("template versions", () => {
  it("count however they are made, and the last one goes to one of many at the same time", async () => {
    const mine = await makeTenant();
    const templates = await Promise.all(
      Array.from({ length: 6 }, () => makeTemplate(mine, SOURCE)),
    );
    await limit(mine, { templateVersions: 8 });
    const add = (id: string) => mine.post(`/templates/${id}/versions`, { source: SOURCE });
    const answers = await Promise.all(templates.map(add));
    expect(codes(answers)).toEqual(["201", "201", ...Array(4).fill("quota_exceeded")]);
    expect(Math.max(...answers.map(roundTripsOf))).toBeLessThanOrEqual(2);
    expect(answers.find(({ status }) => status === 403)?.body.detail).toContain(
      "`templateVersions` is reached (8 of 8 used). Delete templates",
    );
    const whole = await mine.post("/templates", { name: "with a version", source: SOURCE });
    expect(whole.body.code).toBe("quota_exceeded");
    expect((await mine.post("/templates", { name: "without one" })).status).toBe(201);
    expect(await usedOf(mine, "templateVersions")).toBe(8);
    await mine.delete(`/templates/${templates[0]}`);
    expect((await add(templates[1] ?? "")).status).toBe(201);
  });
});

describe("receivers' answers", () => {
  it("are stored up to the limit of the month; deliveries go on without them", async () => {
    const lab = makeLab();
    const mine = await makeTenant();
    const webhook = await makeWebhook(mine);
    const answer = "é".repeat(30);
    lab.outside = () => new Response(answer);
    await limit(mine, { webhookAnswerBytesPerMonth: 150 });
    const published = await lab.publish(mine.tenantId, undefined, 6);
    // The same messages twice: an answer counts once.
    await Promise.all([lab.run(published.slice(0, 1)), lab.run(published.slice(0, 1))]);
    await lab.run(published.slice(1));
    const logged = await Promise.all(
      published.map(({ id }) => mine.get(`/webhooks/${webhook.id}/deliveries/${id}`)),
    );
    expect(logged.map(({ body }) => body.state)).toEqual(Array(6).fill("SUCCEEDED"));
    const attempts = logged.map(({ body }) => body.attempts[0]);
    expect(
      attempts.filter((attempt) => attempt.answer === answer && !attempt.answerCut),
    ).toHaveLength(2);
    expect(attempts.filter((attempt) => attempt.answer === "" && attempt.answerCut)).toHaveLength(
      4,
    );
    expect(await usedOf(mine, "webhookAnswerBytesPerMonth")).toBe(120);
    await limit(mine, { webhookAnswerBytesPerMonth: null });
    await lab.run(await lab.publish(mine.tenantId));
    expect(await usedOf(mine, "webhookAnswerBytesPerMonth")).toBe(180);
  });
});

describe("an instance's triggers", () => {
  it("are at most twenty among concurrent requests too", async () => {
    const mine = await makeTenant();
    const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, SOURCE)];
    const id = await makeInstance(mine, templateId, targetId, { variables });
    const add = () => mine.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" });
    for (let at = 0; at < 17; at += 1) await add();
    const answers = await Promise.all(Array.from({ length: 8 }, add));
    expect(codes(answers)).toEqual(["201", "201", "201", ...Array(5).fill("quota_exceeded")]);
    expect(await rowsOf("triggers", mine)).toBe(20);
  });
});

describe("an incident's updates", () => {
  it("are at most 500", async () => {
    const mine = await makeTenant();
    const opened = { title: "Slow", message: "It is slow.", status: "INVESTIGATING" };
    const { id } = (await mine.post("/incidents", opened)).body;
    await env.DB.prepare("UPDATE incidents SET version = 498 WHERE tenant_id = ?")
      .bind(mine.tenantId)
      .run();
    const update = () =>
      mine.post(`/incidents/${id}/updates`, { status: "MONITORING", message: "Still." });
    expect(codes(await Promise.all([update(), update(), update(), update()]))).toEqual([
      "201",
      "201",
      "quota_exceeded",
      "quota_exceeded",
    ]);
    expect(await rowsOf("incident_updates", mine)).toBe(3);
  });
});

describe("revoked API keys", () => {
  it("are kept up to a thousand, the newest; a removed one stays dead", async () => {
    const mine = await makeTenant();
    const made = await mine.post("/api-keys", { name: "old", scopes: ["*"] });
    const { results } = await env.DB.prepare(
      "SELECT * FROM api_keys WHERE tenant_id = ?1 AND id = ?2",
    )
      .bind(mine.tenantId, made.body.id)
      .all();
    const columns = Object.keys(results[0] ?? {});
    const copied = columns.map((column) =>
      column === "id" ? "value" : column === "revoked_at_ms" ? "1" : column,
    );
    await env.DB.prepare(
      `INSERT INTO api_keys (${columns.join(", ")}) SELECT ${copied.join(", ")}
        FROM api_keys, json_each(?3) WHERE tenant_id = ?1 AND api_keys.id = ?2`,
    )
      .bind(mine.tenantId, made.body.id, JSON.stringify(Array.from({ length: 1_004 }, newId)))
      .run();
    expect((await mine.delete(`/api-keys/${made.body.id}`)).status).toBe(204);
    expect(await rowsOf("api_keys", mine, "revoked_at_ms IS NOT NULL")).toBe(1_000);
    expect(await rowsOf("api_keys", mine, "revoked_at_ms IS NULL")).toBe(1);
    expect((await mine.get(`/api-keys/${made.body.id}`)).status).toBe(404);
  });
});

describe("what grows with every merge", () => {
  /** Declares what is filled. */
  const wide = JSON.stringify({
    name: "wide",
    runtime: "yaml",
    config: Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`part${at}`, { type: "string", default: "" }]),
    ),
    resources: { net: { type: "mock:Network", properties: { name: "net" } } },
  });
  const part = (at: number, length: number) => ({ [`part${at}`]: "x".repeat(length) });

  /** PATCHes until it is refused, and returns the refusal with the number of those before it. */
  async function fill(patch: (at: number) => Promise<Answer>): Promise<[number, Answer]> {
    for (let at = 0; at < 10; at += 1) {
      const answer = await patch(at);
      if (answer.status !== 200) return [at, answer];
    }
    throw new Error("Nothing was refused");
  }

  it.each([
    ["instances", 300_000],
    ["profiles", 300_000],
    ["cloud/targets", 16_384],
  ])("is bounded in %s", async (list, most) => {
    const length = most / 5;
    const mine = await makeTenant();
    const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, wide)];
    const ids: Record<string, string> = {
      instances: await makeInstance(mine, templateId, targetId),
      profiles: (await mine.post("/profiles", { name: "big" })).body.id,
      "cloud/targets": targetId,
    };
    const path = `/${list}/${ids[list]}`;
    const field = list === "cloud/targets" ? "config" : "variables";
    const [count, refused] = await fill((at) => mine.patch(path, { [field]: part(at, length) }));
    expect([count, refused.status, refused.body.code]).toEqual([4, 413, "payload_too_large"]);
    expect(refused.body.detail).toContain(String(most));
    expect(Object.keys((await mine.get(path)).body[field])).not.toContain("part4");
    expect((await mine.patch(path, { [field]: { part0: null, ...part(4, length) } })).status).toBe(
      200,
    );
  });
});
