/** Webhooks that lead back into the service: to one of its hooks, by a relay, or to one of its own hosts. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MAX_HOOK_HOPS } from "#areas/triggers/trigger-kinds.ts";
import { HOPS_HEADER } from "#platform/hops.ts";
import { makeTenant, send, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { makeLab } from "#test/support/delivery-lab.ts";
import { until } from "#test/support/runner.ts";

const RELAY = "https://relay.example.com/to-the-hook";
const SOURCE = "resources: { net: { type: mock:Network, properties: { name: net } } }\n";

/** What each webhook is answered with. */
let receive: (request: Request) => Promise<Response>;

beforeEach(() => {
  receive = async () => new Response("ok");
});
vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
  receive(new Request(input, init)),
);

/** An instance whose deployments send webhooks to the relay, and a hook that deploys it. */
async function loop(tenant: TestTenant) {
  const [targetId, templateId] = [await makeTarget(tenant), await makeTemplate(tenant, SOURCE)];
  const id = await makeInstance(tenant, templateId, targetId);
  const hook = await tenant.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" });
  const path = (hook.body.url as string).replace("/api/v1", "");
  await tenant.post("/webhooks", {
    url: RELAY,
    events: ["deployment.succeeded", "deployment.no_changes"],
  });
  const deployments = async (): Promise<{ state: string; trigger: string }[]> =>
    (await tenant.get(`/deployments?instanceId=${id}&limit=100`)).body.data;
  const trigger = async () => (await tenant.get(`/instances/${id}/triggers`)).body.data[0];
  return { id, path, deployments, trigger };
}

describe("a webhook that a relay passes on to a hook of the service", () => {
  it("ends the loop after ten deployments, and the trigger says why", async () => {
    const tenant = await makeTenant();
    const { id, path, deployments, trigger } = await loop(tenant);
    const hops: string[] = [];
    receive = async (request) => {
      if (request.url !== RELAY) return new Response("ok");
      const header = request.headers.get(HOPS_HEADER) ?? "";
      hops.push(header);
      await send("POST", path, { headers: { [HOPS_HEADER]: header } });
      return new Response("ok");
    };
    await run(tenant, id, "deploy");
    await until(
      "the loop has ended",
      async () => (await trigger()).suppressedReason === "too_many_hops",
    );
    expect(hops).toEqual(Array.from({ length: MAX_HOOK_HOPS }, (_, at) => String(at + 1)));
    const made = await deployments();
    expect(made.filter((one) => one.trigger === "inbound_webhook")).toHaveLength(MAX_HOOK_HOPS - 1);
    expect(made).toHaveLength(MAX_HOOK_HOPS);
    expect((await trigger()).nextFireAt).toBeNull();
    // A call that belongs to no chain deploys as ever.
    receive = async () => new Response("ok");
    expect((await send("POST", path)).status).toBe(202);
    await until("it deploys", async () => (await deployments()).length === MAX_HOOK_HOPS + 1);
    expect((await trigger()).suppressedReason).toBeNull();
  });

  it("ends the loop also when the relay appends to the header", async () => {
    const tenant = await makeTenant();
    const { id, path, deployments, trigger } = await loop(tenant);
    receive = async (request) => {
      // Not a late delivery of another test.
      const sender = (await request.clone().json<{ tenantId?: string }>()).tenantId;
      if (request.url !== RELAY || sender !== tenant.tenantId) return new Response("ok");
      const header = request.headers.get(HOPS_HEADER) ?? "";
      await send("POST", path, { headers: { [HOPS_HEADER]: `${header}, ${header}` } });
      return new Response("ok");
    };
    await run(tenant, id, "deploy");
    await until(
      "the loop has ended",
      async () => (await trigger()).suppressedReason === "too_many_hops",
    );
    expect(await deployments()).toHaveLength(MAX_HOOK_HOPS);
  });

  it("is counted in the deployment and in all that it sends", async () => {
    const tenant = await makeTenant();
    const { id, path, deployments } = await loop(tenant);
    const sent: [type: string, hops: string | null][] = [];
    receive = async (request) => {
      if (request.url !== RELAY) return new Response("ok");
      const { type, tenantId } = (await request.json()) as { type: string; tenantId: string };
      if (tenantId === tenant.tenantId) sent.push([type, request.headers.get(HOPS_HEADER)]);
      return new Response("ok");
    };
    await tenant.post("/webhooks", { url: RELAY, events: ["deployment.*", "instance.*"] });
    await send("POST", path, { headers: { [HOPS_HEADER]: "4" } });
    await until("it has deployed", async () => (await deployments())[0]?.state === "SUCCEEDED");
    await until("all is sent", async () => sent.some(([type]) => type === "deployment.succeeded"));
    const ofRun = sent.filter(([type]) => type.startsWith("deployment."));
    expect(ofRun.length).toBeGreaterThanOrEqual(4);
    expect(ofRun.filter(([, hops]) => hops !== "5")).toEqual([]);
    const stored = await env.DB.prepare(
      "SELECT json_extract(inputs, '$.hops') AS hops FROM deployments WHERE tenant_id = ? AND instance_id = ?",
    )
      .bind(tenant.tenantId, id)
      .first();
    expect(stored).toEqual({ hops: 4 });
  });

  it.each([
    ["", 1],
    ["-1", 0],
    ["1e1", 0],
    ["99999999999999999999", 0],
    ["10; DROP TABLE triggers", 0],
    ["9", 1],
    ["9, 9", 1],
    ["10", 0],
    ["10, 10", 0],
    ["3, 10, 1", 0],
    ["00010", 0],
    ["99999", 0],
    ["9999", 0],
  ])("with the count %j makes %i deployments", async (header, count) => {
    receive = async () => new Response("ok");
    const tenant = await makeTenant();
    const { path, deployments, trigger } = await loop(tenant);
    expect((await send("POST", path, { headers: { [HOPS_HEADER]: header } })).status).toBe(202);
    await until("it was looked at", async () => (await trigger()).nextFireAt === null);
    expect(await deployments()).toHaveLength(count);
    expect((await trigger()).suppressedReason).toBe(count === 0 ? "too_many_hops" : null);
  });
});

describe("a webhook to the service itself", () => {
  const strict = appWith({ WEBHOOK_ALLOW_INSECURE: "off" });
  const create = (tenant: TestTenant, url: string, at = "https://control.test") =>
    strict("POST", `${at}/api/v1/webhooks`, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events: ["*"] }),
    });

  it.each(["https://control.test/x", "https://CONTROL.test./x", "https://control.test:8443/x"])(
    "is refused by the host of the request: %s",
    async (url) => {
      const refused = await create(await makeTenant(), url);
      expect([refused.status, refused.body.code]).toEqual([400, "url_not_allowed"]);
      expect(refused.body.errors[0].pointer).toBe("/url");
    },
  );

  it("is refused by another host under which the service was reached, in whichever isolate", async () => {
    const tenant = await makeTenant();
    await strict("GET", "https://control.workers.test/api/v1/health");
    const stored = await env.DB.prepare(
      "SELECT host FROM own_hosts WHERE host LIKE '%.test'",
    ).all();
    expect(stored.results).toContainEqual({ host: "control.workers.test" });
    const refused = await create(tenant, "https://control.workers.test/x");
    expect(refused.body.code).toBe("url_not_allowed");
    // As another isolate noted it.
    await env.DB.prepare("INSERT INTO own_hosts VALUES ('elsewhere.test', 1)").run();
    expect((await create(tenant, "https://elsewhere.test/x")).body.code).toBe("url_not_allowed");
    const allowed = await create(tenant, "https://hooks.elsewhere.test/x");
    expect(allowed.status, allowed.text).toBe(201);
    const changed = await strict("PATCH", `/webhooks/${allowed.body.id}`, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://elsewhere.test/y" }),
    });
    expect([changed.status, changed.body.code]).toEqual([400, "url_not_allowed"]);
  });

  it("is not sent if the host was found to be the service's later", async () => {
    const lab = makeLab();
    const strictEnv = { ...lab.env, WEBHOOK_ALLOW_INSECURE: "off" };
    const tenant = await makeTenant();
    const webhook = await create(tenant, "https://later.test/x");
    expect(webhook.status, webhook.text).toBe(201);
    await lab.run(await lab.publish(tenant.tenantId), { env: strictEnv });
    expect(lab.received).toHaveLength(1);
    await env.DB.prepare("INSERT INTO own_hosts VALUES ('later.test', 1)").run();
    // A time that no other suite's clock is near.
    lab.nowMs += 7_777_777;
    const [next] = await lab.publish(tenant.tenantId);
    await lab.run([next], { env: strictEnv });
    expect(lab.received, "after the host was found").toHaveLength(1);
    const logged = await tenant.get(`/webhooks/${webhook.body.id}/deliveries/${next?.id}`);
    expect(logged.body.attempts).toMatchObject([{ errorClass: "url_not_allowed" }]);
  });

  it("does not follow from a Host header in development", async () => {
    const loose = appWith({ WEBHOOK_ALLOW_INSECURE: "on" });
    await loose("GET", "https://victim.test/api/v1/health");
    expect((await create(await makeTenant(), "https://victim.test/x")).status).toBe(201);
  });

  it("does not follow from more than a hundred made-up names", async () => {
    const names = Array.from({ length: 120 }, (_, at) => `made-up-${at}.test`);
    for (const name of names) await strict("GET", `https://${name}/api/v1/health`);
    const stored = await env.DB.prepare("SELECT count(*) AS hosts FROM own_hosts").first();
    expect(stored).toEqual({ hosts: 100 });
  });
});
