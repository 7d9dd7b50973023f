import { expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import { renderProvider } from "./render-provider.ts";

const provider = renderProvider();
const properties = { serviceId: "srv-1", startCommand: "npm run migrate" };
const call = { type: "render:Job", id: "srv-1/job-1", name: "j", properties, token: "t-1" };
const job = (status: string): Json => ({ id: "job-1", ...properties, planId: "p", status });
const at = "/v1/services/srv-1/jobs/job-1";

it.each(["succeeded", "failed", "canceled"])(
  "a job that has %s is left where it is",
  async (status) => {
    const cloud = scriptedCloud(json(job(status)));
    expect(await provider.delete(cloud.context({ credential: "key" }), call)).toEqual({
      kind: "gone",
    });
    expect(cloud.lines()).toEqual([`GET ${at}`]);
  },
);

it("a job that runs is canceled, and waited for", async () => {
  const running = job("running");
  const cloud = scriptedCloud(json(running), json(running), json(running), json(running));
  const context = cloud.context({ credential: "key" });
  const canceled = await provider.delete(context, call);
  expect(canceled).toMatchObject({ kind: "pending", id: call.id });
  expect(cloud.lines().slice(0, 2)).toEqual([`GET ${at}`, `POST ${at}/cancel`]);

  const handle = canceled.kind === "pending" ? canceled.handle : null;
  const later = scriptedCloud(json(running), json(running), json(job("canceled")));
  const poll = { ...call, verb: "delete", handle } as const;
  const then = later.context({ credential: "key" });
  expect(await provider.poll(then, poll)).toMatchObject({ kind: "pending" });
  expect(await provider.poll(then, poll)).toEqual({ kind: "gone" });
});

it("a job that ends before it is canceled counts as deleted", async () => {
  const refused = json({ message: "The job is not running." }, 400);
  const cloud = scriptedCloud(json(job("running")), refused, json(job("succeeded")));
  expect(await provider.delete(cloud.context({ credential: "key" }), call)).toEqual({
    kind: "gone",
  });
});

it("a cancel that is refused otherwise fails, and a job that is gone needs none", async () => {
  const refused = json({ message: "No." }, 400);
  const cloud = scriptedCloud(json(job("running")), refused, json(job("running")));
  expect(await provider.delete(cloud.context({ credential: "key" }), call)).toMatchObject({
    kind: "failed",
    means: "invalid",
  });
  const none = scriptedCloud(json({ message: "not found: job-1" }, 404));
  expect(await provider.delete(none.context({ credential: "key" }), call)).toEqual({
    kind: "gone",
  });
});
