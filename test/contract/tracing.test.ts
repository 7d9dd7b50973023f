/** `traceparent` and `tracestate`: everything that a request causes belongs to the caller's trace, or to a new one. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseTraceparent, type Trace } from "#platform/trace.ts";
import { MockCloud } from "#providers/mock/mock-cloud.ts";
import { makeTenant, operator, OPERATOR_KEY } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { SOURCE } from "#test/support/templates.ts";

let sent: Request[];
beforeEach(() => {
  sent = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
    sent.push(request as Request);
    return Response.json({ data: [], nextCursor: null });
  });
});
afterEach(() => vi.restoreAllMocks());

const CALLERS_SPAN = "00f067aa0ba902b7";
const newTraceId = () => crypto.randomUUID().replaceAll("-", "");
const traced = (traceId: string, flags = "01", tracestate?: string) => ({
  traceparent: `00-${traceId}-${CALLERS_SPAN}-${flags}`,
  ...(tracestate === undefined ? {} : { tracestate }),
});
const sentTo = (host: string, header = "traceparent") =>
  sent.filter(({ url }) => new URL(url).host === host).map(({ headers }) => headers.get(header));

/** Each header is a separate span in this trace. */
function expectSpans(headers: readonly (string | null)[], traceId: string, flags = "01"): void {
  expect(headers.length).toBeGreaterThan(0);
  for (const header of headers)
    expect(parseTraceparent(header ?? undefined)).toEqual({ traceId, flags });
  const spans = headers.map((header) => header?.split("-")[2]);
  expect(new Set(spans).size).toBe(spans.length);
  expect(spans).not.toContain(CALLERS_SPAN);
}

async function frozenTrace(deploymentId: string): Promise<Trace> {
  const row = await env.DB.prepare(
    "SELECT inputs ->> '$.trace' AS trace FROM deployments WHERE id = ?",
  )
    .bind(deploymentId)
    .first<{ trace: string }>();
  return JSON.parse(row?.trace ?? "null") as Trace;
}

/** Of all events about it, each once. */
async function tracesTold(resourceId: string): Promise<Trace[]> {
  const { results } = await env.DB.prepare(
    "SELECT DISTINCT trace FROM events WHERE resource_id = ?",
  )
    .bind(resourceId)
    .all<{ trace: string }>();
  return results.map(({ trace }) => JSON.parse(trace ?? "null") as Trace);
}

describe("a deployment that is requested in a trace", () => {
  it("passes the trace to provider calls and webhooks", async () => {
    const tenant = await makeTenant();
    const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
    const asked: (string | null)[] = [];
    const cloudId = env.MOCK_CLOUD.idFromName(targetId);
    // oxlint-disable-next-line typescript/unbound-method -- called with the object it is spied on at
    const { fetch } = MockCloud.prototype;
    vi.spyOn(MockCloud.prototype, "fetch").mockImplementation(function (this: MockCloud, request) {
      const { id } = (this as unknown as { ctx: DurableObjectState }).ctx;
      // What suites before left running goes to other clouds.
      if (id.equals(cloudId)) asked.push(request.headers.get("traceparent"));
      return fetch.call(this, request);
    });
    const id = await makeInstance(tenant, templateId, targetId, {
      variables: { password: "correct horse battery" },
    });
    const events = ["deployment.queued", "deployment.succeeded", "instance.outputs_changed"];
    await tenant.post("/webhooks", { url: `https://${tenant.slug}.example.com/in`, events });
    const traceId = newTraceId();
    const started = await tenant.post(`/instances/${id}/deploy`, undefined, traced(traceId, "00"));
    expect((await untilOver(tenant, started.body.id)).body.state).toBe("SUCCEEDED");
    expectSpans(asked, traceId, "00");
    const received = () => sentTo(`${tenant.slug}.example.com`);
    await vi.waitFor(() => expect(received()).toHaveLength(events.length), 5_000);
    expectSpans(received(), traceId, "00");
    expect(started.text).not.toContain(traceId);

    // The next requests begin traces of their own, which nobody else is told: the last one must not leak into them.
    [asked.length, sent.length] = [0, 0];
    const next = await run(tenant, id, "deploy");
    const back = await tenant.post(`/deployments/${next.body.id}/rollback`);
    expect(back.status, back.text).toBe(202);
    await untilOver(tenant, back.body.id);
    const begun = await frozenTrace(back.body.id);
    expect(begun).toEqual({
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      flags: "00",
      begunHere: true,
    });
    expect(await tracesTold(back.body.id)).toEqual([begun]);
    expect([traceId, (await frozenTrace(next.body.id)).traceId]).not.toContain(begun.traceId);
    await run(tenant, id, "destroy");
    await vi.waitFor(() => expect(received().length).toBeGreaterThanOrEqual(4), 5_000);
    expect(new Set([...asked, ...received()])).toEqual(new Set([null]));
  });
});

describe("what the caller's tracing adds", () => {
  it("goes to the webhooks of the caller's tenant, and neither to clouds nor to anybody else", async () => {
    const tenant = await makeTenant();
    const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
    const id = await makeInstance(tenant, templateId, targetId, {
      variables: { password: "correct horse battery" },
    });
    const [own, platforms] = [`${tenant.slug}.example.com`, `platform-${tenant.slug}.example.com`];
    const events = ["deployment.queued", "deployment.succeeded"];
    await tenant.post("/webhooks", { url: `https://${own}/in`, events });
    const foreign = await operator.post("/webhooks", { url: `https://${platforms}/in`, events });
    const asked: (string | null)[] = [];
    // oxlint-disable-next-line typescript/unbound-method -- called with the object it is spied on at
    const { fetch } = MockCloud.prototype;
    vi.spyOn(MockCloud.prototype, "fetch").mockImplementation(function (this: MockCloud, request) {
      if (request.headers.get("traceparent")?.includes(traceId) === true)
        asked.push(request.headers.get("tracestate"));
      return fetch.call(this, request);
    });
    const state = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE";
    const traceId = newTraceId();
    const headers = traced(traceId, "01", ` ${state}, ${"x".repeat(250)}=${"y".repeat(250)}`);
    const started = await tenant.post(`/instances/${id}/deploy`, undefined, headers);
    expect((await untilOver(tenant, started.body.id)).body.state).toBe("SUCCEEDED");
    await vi.waitFor(() => {
      expect(sentTo(own)).toHaveLength(events.length);
      const ofThis = sentTo(platforms).filter((header) => header?.includes(traceId));
      expect(ofThis).toHaveLength(events.length);
    }, 5_000);
    expect(new Set(sentTo(own, "tracestate"))).toEqual(new Set([state]));
    expect(new Set(sentTo(platforms, "tracestate"))).toEqual(new Set([null]));
    expect(asked.length).toBeGreaterThan(0);
    expect(new Set(asked)).toEqual(new Set([null]));
    await operator.delete(`/webhooks/${foreign.body.id}`);
  });

  it("of an operator does not reach the tenant for which they act", async () => {
    const tenant = await makeTenant();
    const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
    const id = await makeInstance(tenant, templateId, targetId, {
      variables: { password: "correct horse battery" },
    });
    const host = `${tenant.slug}.example.com`;
    const events = ["deployment.queued", "deployment.succeeded"];
    await tenant.post("/webhooks", { url: `https://${host}/in`, events });
    const traceId = newTraceId();
    const headers = traced(traceId, "01", "operators=secret");
    const started = await operator.post(`/instances/${id}/deploy`, undefined, headers);
    await untilOver(tenant, started.body.id);
    await vi.waitFor(() => expect(sentTo(host)).toHaveLength(events.length), 5_000);
    expectSpans(sentTo(host), traceId);
    expect(new Set(sentTo(host, "tracestate"))).toEqual(new Set([null]));
    expect(await frozenTrace(started.body.id)).toEqual({ traceId, flags: "01" });
    expect(await tracesTold(started.body.id)).toEqual([{ traceId, flags: "01" }]);
  });
});

describe("a request in a trace", () => {
  it("passes the trace to its own calls", async () => {
    const tenant = await makeTenant();
    const targetId = await makeTarget(tenant);
    const send = appWith({ PROVIDER_ENDPOINTS: '{"mock":"https://cloud.example"}' });
    const verify = (headers: Record<string, string>) =>
      send("POST", `/cloud/targets/${targetId}/verify`, {
        headers: { authorization: `Bearer ${tenant.key}`, ...headers },
      });
    const traceId = newTraceId();
    expect((await verify(traced(traceId))).status).toBe(200);
    expectSpans(sentTo("cloud.example"), traceId);

    sent = [];
    for (const traceparent of ["00-zz-zz-01", `00-${"0".repeat(32)}-${CALLERS_SPAN}-01`, ""])
      expect((await verify({ traceparent })).status).toBe(200);
    expect(sentTo("cloud.example")).toEqual([null, null, null]);
  });

  it("can be found by it in the log", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = {
      prepare: () => {
        throw new Error("broken");
      },
    };
    const send = appWith({ DB: broken as unknown as D1Database });
    const headers = { authorization: `Bearer ${OPERATOR_KEY}` };
    const traceId = newTraceId();
    const logged = () => JSON.parse(String(lines.mock.lastCall?.[0]));
    const failed = await send("GET", "/templates", { headers: { ...headers, ...traced(traceId) } });
    expect(failed.status).toBe(500);
    expect(logged()).toMatchObject({ traceId, requestId: failed.headers.get("x-request-id") });
    await send("GET", "/templates", { headers: { ...headers, traceparent: "nonsense" } });
    expect(logged()).toHaveProperty("traceId", expect.stringMatching(/^[0-9a-f]{32}$/));
    expect(logged().traceId).not.toBe(traceId);
  });

  it("whose notification fails can be found by it too", async () => {
    const lines = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const tenant = await makeTenant();
    const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
    const id = await makeInstance(tenant, templateId, targetId, {
      variables: { password: "correct horse battery" },
    });
    const send = appWith({
      DEPLOYMENTS_QUEUE: { send: async () => Promise.reject(new Error("away")) } as never,
    });
    const traceId = newTraceId();
    const headers = { authorization: `Bearer ${tenant.key}`, ...traced(traceId) };
    const planned = await send("POST", `/instances/${id}/plan`, { headers });
    expect(planned.status, planned.text).toBe(202);
    expect(JSON.parse(String(lines.mock.lastCall?.[0]))).toMatchObject({ traceId });
    expect(await frozenTrace(planned.body.id)).toEqual({ traceId, flags: "01" });
  });
});
