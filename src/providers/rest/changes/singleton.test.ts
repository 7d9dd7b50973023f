import { describe, expect, it } from "vitest";
import { isJsonMap } from "#platform/json.ts";
import type { Poller } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { createCall, pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const del = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-1" };

describe("an object that always exists", () => {
  const row: Partial<RestType> = {
    path: "/v1/projects/{project}/auth",
    paths: { item: "/v1/projects/{project}/auth" },
    id: { known: "{project}" },
    singleton: { reset: { signup: true } },
    update: "PATCH",
  };
  const call = createCall({ properties: { project: "p-1", signup: false, name: "n" } });

  it("is set by its create, however often it is sent", async () => {
    const cloud = scriptedCloud(json(thing({ signup: false })), json(thing({ signup: false })));
    const provider = sampleProvider(row);
    const outcome = await provider.create(cloud.context(), call);
    expect(cloud.lines()).toEqual(["PATCH /v1/projects/p-1/auth"]);
    expect(cloud.requests[0]?.body).toEqual({ signup: false, name: "n" });
    expect(outcome).toMatchObject({ kind: "done", id: "p-1" });
    expect(await provider.create(cloud.context(), call)).toEqual(outcome);
    const context = cloud.context();
    expect(provider.repeats(context, call.type).repeatableMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("fails where what it belongs to does not exist", async () => {
    const cloud = scriptedCloud(empty(404), empty(404));
    const outcome = await sampleProvider(row).create(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "gone", unknownOutcome: false });
  });

  it("sends no request where a part of its id is not set", async () => {
    const cloud = scriptedCloud();
    const outcome = await sampleProvider(row).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "missing_path_value" });
    expect(cloud.requests).toHaveLength(0);
  });

  it("is set back by its delete, which does not wait for it to vanish", async () => {
    const cloud = scriptedCloud(empty(204), empty(202));
    const properties = { project: "p-1" };
    for (let turn = 0; turn < 2; turn += 1)
      expect(await sampleProvider(row).delete(cloud.context(), { ...del, properties })).toEqual({
        kind: "gone",
      });
    expect(cloud.lines()[0]).toBe("PATCH /v1/projects/p-1/auth");
    expect(cloud.requests[0]?.body).toEqual({ signup: true });
    const polled = sampleProvider(row).poll(scriptedCloud().context(), pollCall("delete"));
    expect(await polled).toEqual({ kind: "gone" });
  });

  it("is set back when the operation has ended that its cloud sets it back by", async () => {
    const poller: Poller = {
      started: ({ json: body }) => (isJsonMap(body) ? body["job"] : undefined),
      path: (job) => `/v1/jobs/${JSON.stringify(job)}`,
      read: ({ json: body }) => ({
        state: isJsonMap(body) && body["done"] === true ? "done" : "running",
      }),
    };
    const cloud = scriptedCloud(json({ job: 1 }), json({ done: false }), json({ done: true }));
    const provider = sampleProvider(row, { poller });
    const of = { ...del, name: "n", id: "p-1", properties: { project: "p-1" } };
    let outcome = await provider.delete(cloud.context(), of);
    for (let polls = 0; polls < 2; polls += 1) {
      if (outcome.kind !== "pending") break;
      expect(outcome.id).toBe("p-1");
      outcome = await provider.poll(cloud.context(), {
        ...of,
        verb: "delete",
        handle: outcome.handle,
      });
    }
    expect(outcome).toEqual({ kind: "gone" });
    expect(cloud.lines()).toEqual([
      "PATCH /v1/projects/p-1/auth",
      "GET /v1/jobs/1",
      "GET /v1/jobs/1",
    ]);
  });

  it.for<[update: RestType["update"], path: string, sent: string]>([
    ["PATCH", "/v1/projects/{project}/auth", "PATCH /v1/projects/p-1/auth"],
    ["PUT", "/v1/projects/{project}/auth", "PUT /v1/projects/p-1/auth"],
    ["MERGE", "/v1/projects/{project}/auth", "PATCH /v1/projects/p-1/auth"],
    ["POST", "/v1/projects/{project}/auth/set", "POST /v1/projects/p-1/auth/set"],
  ])("is set back as it is updated, by %s at %s", async ([update, updatePath, sent]) => {
    const cloud = scriptedCloud(empty(204));
    const properties = { project: "p-1" };
    await sampleProvider({ ...row, update, paths: { ...row.paths, update: updatePath } }).delete(
      cloud.context(),
      {
        ...del,
        properties,
      },
    );
    expect(cloud.lines()).toEqual([sent]);
  });

  it.for([
    [404, { kind: "gone" }],
    [422, { kind: "failed" }],
  ] as const)("whose cloud answers %i to that is %j", async ([status, outcome]) => {
    const cloud = scriptedCloud(empty(status));
    const properties = { project: "p-1" };
    const done = sampleProvider(row).delete(cloud.context(), { ...del, properties });
    expect(await done).toMatchObject(outcome);
  });

  it.for<[string, Partial<RestType>]>([
    ["where the row knows nothing to set it back to", { singleton: {} }],
    ["where nothing updates it", { update: "none" }],
  ])("stays as it is %s", async ([, more]) => {
    const cloud = scriptedCloud();
    const outcome = await sampleProvider({ ...row, ...more }).delete(cloud.context(), del);
    expect(outcome).toEqual({ kind: "gone" });
    expect(cloud.requests).toHaveLength(0);
  });
});
