/** `Prefer: wait=N`: answers that are delayed until the deployment has ended. */
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { endpoints } from "#app.ts";
import { DeploymentView } from "#areas/deployment-records/public.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { untilEnded } from "#orchestrator/client/ask-runner.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import {
  makeInstance,
  makeTarget,
  makeTemplate,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { SOURCE } from "#test/support/templates.ts";
import { titleOf } from "#test/support/world.ts";

const tenant = await makeTenant();
const templateId = await makeTemplate(tenant, SOURCE);
const variables = { password: "correct horse battery" };
const instance = async (config = {}, more = {}) =>
  makeInstance(tenant, templateId, await makeTarget(tenant, config), { variables, ...more });

const wait = (seconds: number | string) => ({ prefer: `wait=${seconds}` });
/** Runners that are notified only after this delay. */
function slowRunners(delayMs: number): Bindings["INSTANCE_RUNNER"] {
  const runners = env.INSTANCE_RUNNER;
  const get = (id: DurableObjectId) => {
    const runner = runners.get(id);
    return {
      notify: async (...message: Parameters<typeof runner.notify>) => {
        await scheduler.wait(delayMs);
        await runner.notify(...message);
      },
      untilEnded: async (...of: Parameters<typeof runner.untilEnded>) => runner.untilEnded(...of),
    };
  };
  return { idFromName: (name: string) => runners.idFromName(name), get } as never;
}

const applied = ({ headers }: Answer) => headers.get("preference-applied");

it("is accepted by every endpoint that answers a deployment under way", () => {
  const going = endpoints.filter(
    ({ answer }) => answer.status === 202 && answer.schema === DeploymentView,
  );
  expect(going.length).toBeGreaterThanOrEqual(6);
  expect(going.filter(({ waits }) => waits !== true).map(titleOf)).toEqual([]);
});

describe("a deploy", () => {
  it("answers the ended deployment in one extra round trip, and at once without the header", async () => {
    const id = await instance();
    const key = { "idempotency-key": crypto.randomUUID() };
    const post = (headers: Record<string, string>) =>
      tenant.post(`/instances/${id}/deploy`, undefined, { ...key, ...headers });
    const ended = await post(wait(20));
    expect([ended.status, ended.body.state, applied(ended)]).toEqual([202, "SUCCEEDED", "wait=20"]);
    expect(ended.headers.get("location")).toBe(`/api/v1/deployments/${ended.body.id}`);
    expect(roundTripsOf(ended)).toBe(3);
    expect(ended.body).toEqual((await tenant.get(`/deployments/${ended.body.id}`)).body);

    const [first, again] = [await post({}), await post(wait(20))];
    expect([first.body.state, applied(first)]).toEqual(["QUEUED", null]);
    expect([again.body, applied(again)]).toEqual([ended.body, "wait=20"]);
    for (const replayed of [first, again])
      expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  });

  it("that is requested twice at once is awaited by both requests", async () => {
    const id = await instance();
    const headers = { ...wait(20), "idempotency-key": crypto.randomUUID() };
    const both = await Promise.all(
      [1, 2].map(() => tenant.post(`/instances/${id}/deploy`, undefined, headers)),
    );
    expect(both.map(({ body }) => body.state)).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1);
  });

  it("answers when it waits for approval; the approval answers the end", async () => {
    const id = await instance({}, { approvalMode: "always" });
    const startedMs = Date.now();
    const parked = await tenant.post(`/instances/${id}/deploy`, undefined, wait(20));
    expect(Date.now() - startedMs).toBeLessThan(15_000);
    expect([parked.body.state, parked.body.actions]).toEqual(["AWAITING_APPROVAL", ["discard"]]);
    const other = await makeMember(tenant.tenantId, "CustomerAdmin");
    const send = appWith({ INSTANCE_RUNNER: slowRunners(700) });
    const ended = await send("POST", `/deployments/${parked.body.id}/approve`, {
      headers: { authorization: `Bearer ${other.key}`, ...wait(20) },
    });
    expect([ended.status, ended.body.state]).toEqual([202, "SUCCEEDED"]);
  });

  it("answers the current state when the time is up", async () => {
    const id = await instance({ readyAfterMs: 60_000 });
    const startedMs = Date.now();
    const answer = await tenant.post(`/instances/${id}/deploy`, undefined, wait(1));
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(1000);
    expect([answer.body.state, applied(answer)]).toEqual(["APPLYING", "wait=1"]);
    const canceled = await tenant.post(`/deployments/${answer.body.id}/cancel`, undefined, wait(0));
    expect([canceled.body.state, applied(canceled)]).toEqual(["CANCELING", "wait=0"]);
  });

  it("answers a failure", async () => {
    const id = await instance({ faults: [{ kind: "networks", on: "create", status: 400 }] });
    const answer = await tenant.post(`/instances/${id}/deploy`, undefined, wait(20));
    expect([answer.status, answer.body.state]).toEqual([202, "FAILED"]);
  });
});

it("a cancel answers the end of the running deployment", async () => {
  const id = await instance({ latencyMs: 300 });
  const started = await tenant.post(`/instances/${id}/deploy`);
  await untilState(tenant, started.body.id, (state) => state === "APPLYING");
  const answer = await tenant.post(`/deployments/${started.body.id}/cancel`, undefined, wait(20));
  expect([answer.status, answer.body.state, applied(answer)]).toEqual([202, "CANCELED", "wait=20"]);
});

it("a deployment that has ended is not awaited", async () => {
  const id = await instance({ latencyMs: 300 });
  const [first, second] = [
    await tenant.post(`/instances/${id}/deploy`),
    await tenant.post(`/instances/${id}/plan`),
  ];
  const canceled = await tenant.post(`/deployments/${second.body.id}/cancel`, undefined, wait(20));
  expect([canceled.body.state, applied(canceled), roundTripsOf(canceled)]).toEqual([
    "CANCELED",
    "wait=20",
    2,
  ]);
  await untilOver(tenant, first.body.id);
});

it.each(["wait", "wait=", "wait=-1", "wait=soon", "respond-async", ""])(
  "Prefer: %s does not delay the answer",
  async (prefer) => {
    const answer = await tenant.post(`/instances/${await instance()}/plan`, undefined, { prefer });
    expect([answer.body.state, applied(answer)]).toEqual(["QUEUED", null]);
    await untilOver(tenant, answer.body.id);
  },
);

it("does not delay errors and answers of ended deployments", async () => {
  const refused = await tenant.post("/instances/nothing/deploy", undefined, wait(20));
  expect([refused.status, applied(refused)]).toEqual([404, null]);
  expect(applied(await tenant.get("/instances", wait(20)))).toBeNull();
});

describe("an unreachable runner", () => {
  const away = (answers: (() => Promise<boolean>)[]) => {
    const runner = {
      untilEnded: vi.fn<() => Promise<boolean>>(async () => (await answers.shift()?.()) ?? false),
    };
    return { runner, INSTANCE_RUNNER: { idFromName: () => "", get: () => runner } as never };
  };
  const dead = async () => Promise.reject(new Error("The object died"));

  it("is asked again", async () => {
    const { runner, INSTANCE_RUNNER } = away([dead, async () => true]);
    const bindings = { ...(env as Bindings), INSTANCE_RUNNER };
    const of = { deploymentId: "d", instanceId: "i" };
    expect(await untilEnded(bindings, of, 5_000)).toBe(true);
    expect(runner.untilEnded).toHaveBeenCalledTimes(2);
  });

  it("delays the answer, but does not fail the request", async () => {
    const id = await instance();
    const send = appWith({ INSTANCE_RUNNER: away([dead, dead, dead, dead, dead]).INSTANCE_RUNNER });
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const answer = await send("POST", `/instances/${id}/deploy`, {
      headers: { authorization: `Bearer ${tenant.key}`, ...wait(1) },
    });
    expect([answer.status, answer.body.state, applied(answer)]).toEqual([202, "QUEUED", null]);
    expect(warned.mock.calls.flat().join("\n")).toContain("could not be held");
    warned.mockRestore();
    await untilOver(tenant, answer.body.id);
  });
});
