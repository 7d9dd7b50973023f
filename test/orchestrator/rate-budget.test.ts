/** A run keeps to the rate budget that its cloud tells, and costs its gate nothing more as long as none is told. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { MockCloud } from "#providers/mock/mock-cloud.ts";
import { mockDefinition } from "#providers/mock/mock-provider.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { untilOver } from "#test/support/cloud.ts";
import { start } from "#test/support/runner.ts";

const source = `name: many
runtime: yaml
resources:
${Array.from({ length: 12 }, (_, n) => `  b${n}: { type: mock:Bucket, properties: { name: b${n} } }`).join("\n")}
`;

afterEach(() => {
  vi.restoreAllMocks();
  delete mockDefinition.readBudget;
});

/** Counts what the gate is asked. */
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

/** The cloud of these targets takes so many calls in each window, and tells what is left. */
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
          limit,
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
