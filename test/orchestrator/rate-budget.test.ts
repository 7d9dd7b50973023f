/** A run obeys the rate budget that its cloud tells. Without a budget, it costs its gate no further requests. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { MockCloud } from "#providers/mock/mock-cloud.ts";
import { mockDefinition } from "#providers/mock/mock-provider.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { untilOver } from "#test/support/cloud.ts";
import { messagesOf, start, until } from "#test/support/runner.ts";

const source = `name: many
runtime: yaml
resources:
${Array.from({ length: 12 }, (_, n) => `  b${n}: { type: mock:Bucket, properties: { name: b${n} } }`).join("\n")}
`;

afterEach(() => {
  vi.restoreAllMocks();
  delete mockDefinition.readBudget;
});

/** Counts the requests to the gate. */
function watchGate() {
  const asked: Record<string, number> = {};
  for (const method of ["acquire", "shareCalls", "returnCalls"] as const) {
    // oxlint-disable-next-line typescript/unbound-method -- called with the object it is spied on at
    const real: (...args: never[]) => unknown = TargetGate.prototype[method];
    vi.spyOn(TargetGate.prototype, method).mockImplementation(function (
      this: TargetGate,
      ...args: unknown[]
    ) {
      asked[method] = (asked[method] ?? 0) + 1;
      return real.apply(this, args as never[]) as never;
    });
  }
  return asked;
}

/** The cloud of these targets takes so many calls in each window, and tells the rest. */
function limitCloud(targetIds: readonly string[], limit: number, windowMs: number) {
  const seen = { refused: 0, most: 0, inFlight: 0 };
  const used = new Map<number, number>();
  const clouds = targetIds.map((id) => env.MOCK_CLOUD.idFromName(id));
  // oxlint-disable-next-line typescript/unbound-method -- called with the object it is spied on at
  const { fetch } = MockCloud.prototype;
  vi.spyOn(MockCloud.prototype, "fetch").mockImplementation(async function (
    this: MockCloud,
    request,
  ) {
    const { id } = (this as unknown as { ctx: DurableObjectState }).ctx;
    if (!clouds.some((one) => id.equals(one))) return fetch.call(this, request);
    const window = Math.floor(Date.now() / windowMs);
    used.set(window, (used.get(window) ?? 0) + 1);
    if ((used.get(window) ?? 0) > limit) seen.refused += 1;
    seen.inFlight += 1;
    seen.most = Math.max(seen.most, seen.inFlight);
    const answer = await fetch.call(this, request);
    seen.inFlight -= 1;
    const headers = new Headers(answer.headers);
    headers.set("x-left", `${Math.max(0, limit - (used.get(window) ?? 0))}`);
    headers.set("x-reset", `${(window + 1) * windowMs}`);
    return new Response(answer.body, { status: answer.status, headers });
  });
  mockDefinition.readBudget = ({ headers }) =>
    headers.has("x-left")
      ? {
          remaining: Number(headers.get("x-left")),
          resetMs: Number(headers.get("x-reset")),
        }
      : undefined;
  return seen;
}

describe("a run", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });

  it("asks its gate for the slot alone while no budget is told", async () => {
    const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant));
    const asked = watchGate();
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(asked).toEqual({ acquire: 1 });
  });

  it("waits for the next budget when this one is used up, beside others of its target", async () => {
    const targetId = await makeTarget(tenant, { latencyMs: 5 });
    const instances = await Promise.all(
      [1, 2, 3].map(() => makeInstance(tenant, templateId, targetId)),
    );
    const seen = limitCloud([targetId], 15, 1_000);
    const ids = await Promise.all(instances.map((id) => start(tenant, id)));
    const states = await Promise.all(
      ids.map(async (id) => (await untilOver(tenant, id)).body.state),
    );
    expect(states).toEqual(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED"]);
    expect(seen.refused).toBe(0);
    expect(seen.most).toBeLessThanOrEqual(mockDefinition.concurrency);
  });
});

/** Objects that the instance does not manage. */
async function madeOutside(targetId: string, count: number): Promise<string[]> {
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const answer = await cloud.fetch("https://mock.cloud.invalid/v1/networks", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: `n${n}` }),
      });
      return (await answer.json<{ id: string }>()).id;
    }),
  );
}

const reading = (ids: readonly string[]) =>
  `resources:\n${ids.map((id, n) => `  n${n}: { type: mock:Network, get: { id: ${id} } }\n`).join("")}outputs: { first: "\${n0.name}" }\n`;

describe("what is no step", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });
  const verify = (targetId: string) => tenant.post(`/cloud/targets/${targetId}/verify`);
  const plan = async (targetId: string, ids: readonly string[]) => {
    const templateId = await makeTemplate(tenant, reading(ids));
    return start(tenant, await makeInstance(tenant, templateId, targetId), "plan");
  };

  it("a plan's reads wait for the next budget when this one is used up", async () => {
    const targetId = await makeTarget(tenant);
    const ids = await madeOutside(targetId, 8);
    const seen = limitCloud([targetId], 5, 1_000);
    const planned = await untilOver(tenant, await plan(targetId, ids));
    expect(planned.body.state, planned.text).toBe("NO_CHANGES");
    // Six reads are sent at once before an answer tells the budget of five.
    expect(seen.refused).toBeLessThanOrEqual(1);
  });

  it("a check of a used-up target is 429 with Retry-After and sends nothing; a plan says that it waits", async () => {
    const targetId = await makeTarget(tenant);
    const ids = await madeOutside(targetId, 1);
    const seen = limitCloud([targetId], 2, 3_600_000);
    for (let n = 0; n < 2; n += 1) expect((await verify(targetId)).body.ok).toBe(true);
    const asked = await verify(targetId);
    expect([asked.status, asked.body.code], asked.text).toEqual([429, "rate_limited"]);
    const seconds = Number(asked.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(asked.body.detail).toBe(
      `The deployments at the target mock cloud use all the calls that mock takes now. Nothing was sent. Try again in ${seconds} s.`,
    );
    const read = await tenant.get(`/cloud/targets/${targetId}`);
    expect(read.body.verification).toBe("VERIFIED");
    const id = await plan(targetId, ids);
    await until("the log says that the run waits", async () =>
      (await messagesOf(tenant, id)).some((line) =>
        line.endsWith("mock takes no more calls for the target mock cloud now."),
      ),
    );
    expect((await tenant.get(`/deployments/${id}`)).body.state).toBe("PLANNING");
    expect((await tenant.post(`/deployments/${id}/cancel`)).status).toBe(202);
    expect((await untilOver(tenant, id)).body.state).toBe("CANCELED");
    expect(seen.refused).toBe(0);
  });

  it("a check waits for a budget that is whole again soon", async () => {
    const targetId = await makeTarget(tenant);
    const seen = limitCloud([targetId], 2, 1_000);
    for (let n = 0; n < 5; n += 1) expect((await verify(targetId)).body.ok).toBe(true);
    expect(seen.refused).toBe(0);
  });

  it("a check that the cloud refuses holds back the target's runs", async () => {
    const targetId = await makeTarget(tenant);
    const ids = await madeOutside(targetId, 1);
    vi.spyOn(MockCloud.prototype, "fetch").mockImplementationOnce(async () =>
      Response.json(
        { code: "throttled", message: "too many" },
        { status: 429, headers: { "retry-after": "60" } },
      ),
    );
    const refused = await verify(targetId);
    expect([refused.status, refused.body.code], refused.text).toEqual([502, "provider_error"]);
    const again = await verify(targetId);
    expect([again.status, again.body.code], again.text).toEqual([429, "rate_limited"]);
    const id = await plan(targetId, ids);
    await until("the log says that the run waits", async () =>
      (await messagesOf(tenant, id)).some((line) => line.includes("takes no more calls")),
    );
    await tenant.post(`/deployments/${id}/cancel`);
    expect((await untilOver(tenant, id)).body.state).toBe("CANCELED");
  });

  it("a check leaves no share behind", async () => {
    const targetId = await makeTarget(tenant);
    await verify(targetId);
    const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
    await runInDurableObject(gate, (_, { storage }) => {
      const kept = storage.sql.exec("SELECT id FROM calls WHERE id <> ''").toArray();
      expect(kept).toEqual([]);
    });
  });
});
