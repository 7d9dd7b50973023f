import { describe, expect, it } from "vitest";
import { isJsonMap } from "#platform/json.ts";
import { createCall, pollCall, sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import type { RestProviderDefinition } from "./definition.ts";
import type { RestType } from "./rest-type.ts";

const row: Partial<RestType> = {
  state: { path: "state", ready: ["on"], fail: ["broken"], gone: ["deleted"] },
};
const laterMs = (elapsedMs: number) => ({ now: () => 1_000_000 + elapsedMs });

describe("poll of a create", () => {
  it("increases the delay over time, up to 30 seconds", async () => {
    const waits: number[] = [];
    for (const elapsedMs of [0, 30_000, 600_000]) {
      const cloud = scriptedCloud(json(thing({ state: "building" })));
      const outcome = await sampleProvider(row).poll(
        cloud.context(laterMs(elapsedMs)),
        pollCall("create"),
      );
      expect(outcome).toMatchObject({ kind: "pending", handle: { sinceMs: 1_000_000 } });
      waits.push(outcome.kind === "pending" ? outcome.afterMs : -1);
    }
    expect(waits).toEqual([2_000, 6_000, 30_000]);
  });

  it("is done when ready", async () => {
    const cloud = scriptedCloud(json(thing({ state: "on" })));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("create"));
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing({ state: "on" }) });
  });

  it("fails with the id of the failed object", async () => {
    const cloud = scriptedCloud(json(thing({ state: "broken" })));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("create"));
    expect(outcome).toMatchObject({ kind: "failed", id: "t-1", retryable: false });
  });

  it("waits up to a minute for an object that is not visible yet", async () => {
    const early = await sampleProvider(row).poll(
      scriptedCloud(empty(404)).context(laterMs(59_999)),
      pollCall("create"),
    );
    expect(early).toMatchObject({ kind: "pending", id: "t-1" });
    const late = await sampleProvider(row).poll(
      scriptedCloud(empty(404)).context(laterMs(60_000)),
      pollCall("create"),
    );
    expect(late).toMatchObject({ kind: "failed", code: "vanished", retryable: false });
    expect(late).not.toHaveProperty("id");
  });

  it("polls again after a retryable failure", async () => {
    for (const verb of ["create", "update", "delete"] as const) {
      const cloud = scriptedCloud(json({}, 503, { "retry-after": "8" }));
      const outcome = await sampleProvider(row).poll(cloud.context(), pollCall(verb));
      expect(outcome).toMatchObject({ kind: "pending", id: "t-1", afterMs: 8_000 });
    }
  });

  it("never polls sooner than the row's delay, even if the provider asks for it", async () => {
    const cloud = scriptedCloud(json({}, 503, { "retry-after": "0" }));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("create"));
    expect(outcome).toMatchObject({ kind: "pending", afterMs: 2_000 });
  });

  it("keeps the id when reading is no longer permitted", async () => {
    const cloud = scriptedCloud(json({ code: "revoked" }, 401));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("create"));
    expect(outcome).toMatchObject({ kind: "failed", code: "revoked", id: "t-1" });
  });

  it("starts again with an unknown handle", async () => {
    const cloud = scriptedCloud(json(thing({ state: "building" })));
    const call = pollCall("create", { handle: "?" });
    const outcome = await sampleProvider(row).poll(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "pending", handle: { sinceMs: 1_000_000 } });
  });
});

describe("poll of an update", () => {
  it("is done when ready again, and gone when the object is gone", async () => {
    const on = scriptedCloud(json(thing({ state: "on" })));
    expect(await sampleProvider(row).poll(on.context(), pollCall("update"))).toMatchObject({
      kind: "done",
    });
    const none = scriptedCloud(empty(404));
    expect(await sampleProvider(row).poll(none.context(), pollCall("update"))).toEqual({
      kind: "gone",
    });
  });
});

describe("poll of a delete", () => {
  it.for([
    ["the object is not found", empty(404)],
    ["the object's state is deleted", json(thing({ state: "deleted" }))],
  ] as const)("is done when %s twice", async ([, answer]) => {
    const cloud = scriptedCloud(answer.clone(), answer);
    const looked = await sampleProvider(row).poll(cloud.context(), pollCall("delete"));
    if (looked.kind !== "pending") throw new Error("It is looked at only once");
    const again = pollCall("delete", { handle: looked.handle });
    const outcome = await sampleProvider(row).poll(cloud.context(), again);
    expect(outcome).toMatchObject({ kind: "gone" });
  });

  it.for(["on", "building", "broken"])("waits while the object exists: %s", async (state) => {
    const cloud = scriptedCloud(json(thing({ state })));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("delete"));
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1", note: "still exists" });
  });
});

describe("operations", () => {
  const operation = (value: unknown): string | undefined =>
    isJsonMap(value) && typeof value["operation"] === "string" ? value["operation"] : undefined;
  const definition: Partial<RestProviderDefinition> = {
    poller: {
      started: ({ json }) => operation(json),
      path: (started) => `/v1/operations/${typeof started === "string" ? started : "?"}`,
      read: ({ json }) => {
        const map = isJsonMap(json) ? json : {};
        const id = typeof map["target"] === "string" ? { id: map["target"] } : {};
        if (map["error"] !== undefined)
          return { state: "failed", code: "op_failed", message: "it broke", ...id };
        return map["done"] === true ? { state: "done", ...id } : { state: "running", ...id };
      },
    },
  };
  const provider = sampleProvider({}, definition);
  const { id: _, ...withoutId } = pollCall("create", {
    handle: { sinceMs: 1_000_000, operation: "op-1" },
  });

  it("are kept in the handle, for every verb", async () => {
    const context = () => scriptedCloud(json({ operation: "op-1" })).context();
    const handle = { sinceMs: 1_000_000, operation: "op-1" };
    const made = await provider.create(context(), createCall());
    expect(made).toMatchObject({ kind: "pending", handle });
    expect(made).not.toHaveProperty("id");
    const changed = await provider.update(context(), updateCall());
    expect(changed).toMatchObject({ kind: "pending", id: "t-1", handle });
    const call = { type: "vultr:Thing", id: "t-1", properties: {}, token: "t" };
    expect(await provider.delete(context(), call)).toMatchObject({ kind: "pending", handle });
  });

  it("return the id as soon as it is known", async () => {
    const cloud = scriptedCloud(json({ target: "t-7" }, 200, { "retry-after": "4" }));
    expect(await provider.poll(cloud.context(), withoutId)).toEqual({
      kind: "pending",
      id: "t-7",
      afterMs: 4_000,
      handle: { sinceMs: 1_000_000, operation: "op-1" },
    });
    expect(cloud.lines()).toEqual(["GET /v1/operations/op-1"]);
  });

  it("are followed by reading the object once done", async () => {
    const cloud = scriptedCloud(json({ done: true, target: "t-7" }), json(thing({ id: "t-7" })));
    const outcome = await provider.poll(cloud.context(), withoutId);
    expect(cloud.lines()).toEqual(["GET /v1/operations/op-1", "GET /v1/things/t-7"]);
    expect(outcome).toMatchObject({ kind: "done", id: "t-7" });
  });

  it("that fail return the id of what they created", async () => {
    const cloud = scriptedCloud(json({ error: {}, target: "t-7" }));
    const outcome = await provider.poll(cloud.context(), withoutId);
    expect(outcome).toMatchObject({ kind: "failed", code: "op_failed", id: "t-7" });
  });

  it("that fail to delete return no id", async () => {
    const cloud = scriptedCloud(json({ error: {} }));
    const call = pollCall("delete", { handle: { sinceMs: 1_000_000, operation: "op-1" } });
    const outcome = await provider.poll(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "op_failed" });
    expect(outcome).not.toHaveProperty("id");
  });

  it("that deleted the object are believed after one read", async () => {
    const cloud = scriptedCloud(json({ done: true }), empty(404));
    const call = pollCall("delete", { handle: { sinceMs: 1_000_000, operation: "op-1" } });
    expect(await provider.poll(cloud.context(), call)).toEqual({ kind: "gone" });
    const still = scriptedCloud(json({ done: true }), json(thing()));
    expect(await provider.poll(still.context(), call)).toMatchObject({ kind: "pending" });
  });

  it("are polled again after a retryable failure", async () => {
    const cloud = scriptedCloud(new Error("reset"));
    const outcome = await provider.poll(cloud.context(), withoutId);
    expect(outcome).toMatchObject({
      kind: "pending",
      handle: { sinceMs: 1_000_000, operation: "op-1" },
    });
  });

  it("that the cloud has forgotten are resolved by reading the object", async () => {
    const cloud = scriptedCloud(empty(404), json(thing()));
    const call = pollCall("create", { handle: { sinceMs: 1_000_000, operation: "op-1" } });
    expect(await provider.poll(cloud.context(), call)).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("that end without an id have an unknown outcome", async () => {
    const cloud = scriptedCloud(json({ done: true }));
    const outcome = await provider.poll(cloud.context(), withoutId);
    expect(outcome).toMatchObject({ code: "invalid_answer", unknownOutcome: true });
  });

  it("keep the id when polling is no longer permitted", async () => {
    const cloud = scriptedCloud(json({ code: "revoked" }, 401));
    const call = pollCall("create", { handle: { sinceMs: 1_000_000, operation: "op-1" } });
    const outcome = await provider.poll(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "revoked", id: "t-1" });
  });
});
