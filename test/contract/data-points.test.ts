/** What the dataset of Analytics Engine is told: requests, ends of deployments and attempts of deliveries. */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { endpoints } from "#app.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, operator, OPERATOR_KEY, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilState } from "#test/support/cloud.ts";
import { makeLab, makeWebhook } from "#test/support/delivery-lab.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { runnerOf, start, until } from "#test/support/runner.ts";

const source = `resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
`;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;

afterEach(() => vi.restoreAllMocks());

function dataset() {
  const points: Required<AnalyticsEngineDataPoint>[] = [];
  const ANALYTICS: AnalyticsEngineDataset = {
    writeDataPoint: (point) => void points.push(point as Required<AnalyticsEngineDataPoint>),
  };
  return { points, ANALYTICS };
}

describe("a request", () => {
  const { points, ANALYTICS } = dataset();
  const send = appWith({ ANALYTICS });
  const authorization = `Bearer ${OPERATOR_KEY}`;
  const told = async (method: string, path: string, init: RequestInit = {}) => {
    points.length = 0;
    await send(method, path, init);
    expect(points).toHaveLength(1);
    const [point] = points;
    expect(point?.indexes).toEqual(["request"]);
    expect(point?.doubles?.[0]).toBeGreaterThanOrEqual(0);
    return [...(point?.blobs ?? []), point?.doubles?.[1]];
  };
  const id = crypto.randomUUID();

  it.each([
    ["GET", "/templates", { headers: { authorization } }, "/api/v1/templates", 200],
    ["HEAD", "/templates", { headers: { authorization } }, "/api/v1/templates", 200],
    ["GET", `/templates/${id}`, { headers: { authorization } }, "/api/v1/templates/:id", 404],
    ["GET", "/templates/schema", {}, "/api/v1/templates/schema", 200],
    ["GET", `/templates/${id}`, {}, "/api/v1/templates/:id", 401],
    ["DELETE", `/templates/${id}`, { headers: { authorization } }, "/api/v1/templates/:id", 404],
    ["POST", `/templates/${id}/versions`, { body: "{" }, "/api/v1/templates/:id/versions", 401],
    ["POST", "/hooks/secret-token", {}, "/api/v1/hooks/:token", 404],
    ["GET", `https://control.test/status/${id}`, {}, "/status/:slug", 404],
    ["GET", `/nothing/${id}`, {}, "none", 404],
    ["PUT", "/templates", {}, "none", 405],
    ["GET", "https://control.test/wp-login.php", {}, "none", 404],
  ])("%s %s is told by its route, with its status", async (method, path, init, route, status) => {
    expect(await told(method, path, init)).toEqual([
      route,
      method,
      `${Math.floor(status / 100)}xx`,
      status,
    ]);
  });

  it("with a method of its own has no name of its own", async () => {
    expect((await told("PROPFIND", "/templates"))[1]).toBe("other");
  });

  it("to any endpoint is told by its path as it is declared", async () => {
    for (const { method, path } of endpoints) {
      const filled = path.replace(/\{\w+\}/g, id);
      const [route, ...others] = await told(method, filled);
      expect(route).toBe(`/api/v1${path.replace(/\{(\w+)\}/g, ":$1")}`);
      expect(JSON.stringify(others)).not.toMatch(uuid);
    }
  });

  it("is answered although the point cannot be written, and without a dataset", async () => {
    const lines = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const broken = appWith({
      ANALYTICS: {
        writeDataPoint: () => {
          throw new Error("The limit of data points is exceeded.");
        },
      },
    });
    for (const ask of [broken, broken, appWith({})])
      expect((await ask("GET", "/health")).status).toBe(200);
    expect(lines.mock.calls.length).toBeLessThanOrEqual(1);
  });
});

describe("an attempt of a delivery", () => {
  it("is told with its outcome and what it means for the delivery", async () => {
    const { points, ANALYTICS } = dataset();
    const lab = makeLab();
    Object.assign(lab.env, { ANALYTICS } satisfies Partial<Bindings>);
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));
    const tenant = await makeTenant();
    await makeWebhook(tenant);
    lab.outside = () => {
      lab.nowMs += 120;
      return new Response("no", { status: 503 });
    };
    const [delivery] = await lab.publish(tenant.tenantId);
    await lab.run([delivery]);
    lab.outside = () => new Response("ok");
    lab.nowMs += 24 * 60 * 60 * 1000;
    await lab.run([delivery]);
    expect(points).toEqual([
      { indexes: ["delivery"], blobs: ["http_status", "RETRYING"], doubles: [120, 503, 1] },
      { indexes: ["delivery"], blobs: ["delivered", "SUCCEEDED"], doubles: [0, 200, 2] },
    ]);
  });
});

describe("a deployment that ended", () => {
  const { points, ANALYTICS } = dataset();
  beforeAll(async () => {
    // What other suites left running has no row any more, and ends without a state.
    await emptyDatabase();
    Object.assign(env, { ANALYTICS });
  });
  afterAll(() => {
    delete (env as Bindings).ANALYTICS;
  });
  beforeEach(() => {
    points.length = 0;
  });
  const told = () =>
    points
      .filter(({ indexes }) => indexes[0] === "deployment")
      .map(({ blobs, doubles }) => {
        expect(doubles[0]).toBeGreaterThanOrEqual(0);
        return blobs.map(String).join(" ");
      });

  async function instanceIn(tenant: TestTenant, targetId: string, more: JsonMap = {}) {
    return makeInstance(tenant, await makeTemplate(tenant, source), targetId, more);
  }

  it("by its run is told once", async () => {
    const tenant = await makeTenant();
    const id = await instanceIn(tenant, await makeTarget(tenant));
    await run(tenant, id, "deploy");
    await run(tenant, id, "plan");
    await run(tenant, id, "deploy");
    await run(tenant, id, "destroy");
    const all = [
      "deploy SUCCEEDED mock",
      "plan NO_CHANGES mock",
      "deploy NO_CHANGES mock",
      "destroy SUCCEEDED mock",
    ];
    expect(told()).toEqual(all);
    expect((await runnerOf(id).reconcile()).compared).toBe(4);
    expect(told()).toEqual(all);
  });

  it("by a request is told once, when its runner follows", async () => {
    const tenant = await makeTenant();
    const [quick, slow] = [
      await makeTarget(tenant),
      await makeTarget(tenant, { readyAfterMs: 3_600_000 }, { maxConcurrentDeployments: 1 }),
    ];
    const parked = await instanceIn(tenant, quick, { approvalMode: "always" });
    const discarded = await start(tenant, parked);
    await untilState(tenant, discarded, (state) => state === "AWAITING_APPROVAL");
    await tenant.post(`/deployments/${discarded}/discard`);
    await until("the discard is told", () => told().length > 0);
    expect(told()).toEqual(["deploy DISCARDED mock"]);

    const busy = await instanceIn(tenant, slow);
    const applying = await start(tenant, busy);
    await untilState(tenant, applying, (state) => state === "APPLYING");
    const atGate = await start(tenant, await instanceIn(tenant, slow));
    await until("it waits for a slot", async () => {
      const { body } = await tenant.get(`/deployments/${atGate}`);
      return body.blockedBy?.kind === "target_capacity";
    });
    await tenant.post(`/deployments/${atGate}/cancel`);
    await until("the first cancel is told", () => told().length > 1);
    expect(told()[1]).toBe("deploy CANCELED mock");

    // The runner has not loaded it when it ends.
    const behind = await start(tenant, busy, "plan");
    await tenant.post(`/deployments/${behind}/cancel`);
    await operator.post(`/deployments/${applying}/abandon`, { reason: "It takes too long." });
    await until("all are told", () => told().length > 3);
    expect(told().slice(2).toSorted()).toEqual(["deploy FAILED mock", "unknown CANCELED unknown"]);
  });
});
