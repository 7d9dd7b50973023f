/** `traceparent`: everything that a request causes belongs to the caller's trace. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseTraceparent } from "#platform/trace.ts";
import { MockCloud } from "#providers/mock/mock-cloud.ts";
import { makeTenant, OPERATOR_KEY } from "#test/support/api.ts";
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
const traced = (traceId: string, flags = "01") => ({
  traceparent: `00-${traceId}-${CALLERS_SPAN}-${flags}`,
});
const sentTo = (host: string) =>
  sent
    .filter(({ url }) => new URL(url).host === host)
    .map(({ headers }) => headers.get("traceparent"));

/** Each header is a separate span in this trace. */
function expectSpans(headers: readonly (string | null)[], traceId: string, flags = "01"): void {
  expect(headers.length).toBeGreaterThan(0);
  for (const header of headers)
    expect(parseTraceparent(header ?? undefined)).toEqual({ traceId, flags });
  const spans = headers.map((header) => header?.split("-")[2]);
  expect(new Set(spans).size).toBe(spans.length);
  expect(spans).not.toContain(CALLERS_SPAN);
}

async function frozenTraceId(deploymentId: string): Promise<string | null | undefined> {
  const row = await env.DB.prepare(
    "SELECT inputs ->> '$.trace.traceId' AS traceId FROM deployments WHERE id = ?",
  )
    .bind(deploymentId)
    .first<{ traceId: string | null }>();
  return row?.traceId;
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

    // The next requests have no trace: the last one must not leak into them.
    [asked.length, sent.length] = [0, 0];
    const next = await run(tenant, id, "deploy");
    const back = await tenant.post(`/deployments/${next.body.id}/rollback`);
    expect(back.status, back.text).toBe(202);
    await untilOver(tenant, back.body.id);
    expect(await frozenTraceId(back.body.id)).toBeNull();
    await run(tenant, id, "destroy");
    await vi.waitFor(() => expect(received().length).toBeGreaterThanOrEqual(4), 5_000);
    expect(new Set([...asked, ...received()])).toEqual(new Set([null]));
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
    expect(logged()).not.toHaveProperty("traceId");
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
    expect(await frozenTraceId(planned.body.id)).toBe(traceId);
  });
});
