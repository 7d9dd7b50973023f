import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const item = { type: "vultr:Thing", id: "t-1", properties: {} };
const del = { ...item, token: "token-1" };

/** A cloud that takes objects under a key. */
const wrapped: RestProviderDefinition["prepare"] = ({ body = null, ...request }) => ({
  ...request,
  body: { thing: body },
});

describe("read", () => {
  it("returns the object in any state", async () => {
    const row: Partial<RestType> = {
      state: { path: "state", ready: ["on"], fail: ["broken"] },
      envelope: { read: "thing" },
      paths: { read: "/v2/things/{id}?expand=all" },
    };
    const cloud = scriptedCloud(json({ thing: thing({ state: "broken" }) }));
    const outcome = await sampleProvider(row).read(cloud.context(), item);
    expect(cloud.lines()).toEqual(["GET /v2/things/t-1?expand=all"]);
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing({ state: "broken" }) });
  });

  it.for([404, 410])("is gone on %i", async (status) => {
    const outcome = await sampleProvider().read(scriptedCloud(empty(status)).context(), item);
    expect(outcome).toEqual({ kind: "gone" });
  });

  it("is gone when the object's state says so", async () => {
    const row = { state: { path: "state", gone: ["deleted"] } };
    const cloud = scriptedCloud(json(thing({ state: "deleted" })));
    expect(await sampleProvider(row).read(cloud.context(), item)).toEqual({ kind: "gone" });
  });

  it("fails with a known outcome when the provider fails", async () => {
    for (const answer of [json({}, 503), new Error("reset")]) {
      const cloud = scriptedCloud(answer);
      expect(await sampleProvider().read(cloud.context(), item)).toMatchObject({
        kind: "failed",
        retryable: true,
        unknownOutcome: false,
      });
    }
  });

  it("rejects a list instead of an object", async () => {
    const outcome = await sampleProvider().read(scriptedCloud(json([])).context(), item);
    expect(outcome).toMatchObject({ kind: "failed", code: "invalid_answer" });
  });

  it("rejects an id that would address the collection", async () => {
    for (const id of ["", ".."]) {
      const cloud = scriptedCloud();
      const outcome = await sampleProvider().delete(cloud.context(), { ...del, id });
      expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: false });
      expect(cloud.requests).toHaveLength(0);
    }
  });

  it("keeps the query of the collection path at the end of the item path", async () => {
    const cloud = scriptedCloud(json(thing()));
    await sampleProvider({ path: "/v1/things?per_page=9" }).read(cloud.context(), item);
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1?per_page=9"]);
  });
});

describe("update", () => {
  const before: JsonMap = { size: 1, same: { b: 1, a: 2 }, old: 1, region: "x", once: "p" };
  const properties: JsonMap = { size: 2, same: { a: 2, b: 1 }, region: "x", once: "q" };

  it("with PATCH sends changes, and removed properties as null", async () => {
    const cloud = scriptedCloud(json(thing({ size: 2 })));
    const provider = sampleProvider({ createOnly: ["once"] }, { prepare: wrapped });
    const outcome = await provider.update(cloud.context(), updateCall({ before, properties }));
    expect(cloud.lines()).toEqual(["PATCH /v1/things/t-1"]);
    expect(cloud.requests[0]?.body).toEqual({ thing: { size: 2, old: null } });
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing({ size: 2 }) });
  });

  it("that is answered with another object shows its own, which is read", async () => {
    const other = thing({ id: "t-2", password: "of another" });
    const cloud = scriptedCloud(json(other), json(thing({ size: 2 })));
    const outcome = await sampleProvider().update(cloud.context(), updateCall());
    expect(cloud.lines()).toEqual(["PATCH /v1/things/t-1", "GET /v1/things/t-1"]);
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing({ size: 2 }) });
  });

  it("that is answered with another object, as is the read of it, shows neither", async () => {
    const other = thing({ id: "t-2" });
    const cloud = scriptedCloud(json(other), json(other));
    const outcome = await sampleProvider().update(cloud.context(), updateCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "other_id" });
    expect(JSON.stringify(outcome)).not.toContain("outputs");
  });

  it.for(["PUT", "POST"] as const)("with %s sends all updatable properties", async (update) => {
    const cloud = scriptedCloud(json(thing()));
    const provider = sampleProvider({
      path: "/v1/{region}/things",
      paths: { update: "/v2/things/{id}" },
      update,
      createOnly: ["once"],
      immutable: ["same"],
    });
    await provider.update(cloud.context(), updateCall({ before, properties }));
    expect(cloud.lines()).toEqual([`${update} /v2/things/t-1`]);
    expect(cloud.requests[0]?.body).toEqual({
      name: "thing-one",
      size: 2,
      same: { a: 2, b: 1 },
    });
  });

  it("is made of the object as it is now where the cloud wants that", async () => {
    const shown = json({ thing: { etag: "e", name: "thing-one", size: 1 } });
    const cloud = scriptedCloud(shown, empty(), json({ thing: { size: 2 } }));
    const row: Partial<RestType> = { update: "PUT", envelope: { read: "thing" } };
    const definition: Partial<RestProviderDefinition> = {
      readsFirst: (verb) => verb === "update",
      prepare: (request, { current = {}, change }) => ({
        ...request,
        body: { ...change?.after, etag: current["etag"] ?? null },
      }),
    };
    await sampleProvider(row, definition).update(cloud.context(), updateCall());
    expect(cloud.requests[1]?.body).toEqual({ etag: "e", name: "thing-one", size: 2 });
  });

  it("reads the object when the answer does not contain it", async () => {
    const cloud = scriptedCloud(empty(), json(thing({ size: 2 })));
    const outcome = await sampleProvider().update(cloud.context(), updateCall());
    expect(cloud.lines()).toEqual(["PATCH /v1/things/t-1", "GET /v1/things/t-1"]);
    expect(outcome).toMatchObject({ kind: "done", outputs: { size: 2 } });
  });

  it("only reads when nothing changed", async () => {
    const cloud = scriptedCloud(json(thing()));
    const call = updateCall({ properties: { size: 1, name: "thing-one" } });
    expect(await sampleProvider().update(cloud.context(), call)).toMatchObject({ kind: "done" });
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1"]);
  });

  it("is gone on 404 if a read does not find the object either", async () => {
    const cloud = scriptedCloud(empty(404), empty(404));
    const outcome = await sampleProvider().update(cloud.context(), updateCall());
    expect(cloud.lines()).toEqual(["PATCH /v1/things/t-1", "GET /v1/things/t-1"]);
    expect(outcome).toEqual({ kind: "gone" });
  });

  it("says what the cloud did not find if the object is there", async () => {
    const refused = json({ code: "no_vpc", message: "vpc not found" }, 404);
    const cloud = scriptedCloud(refused, json(thing()));
    const outcome = await sampleProvider().update(cloud.context(), updateCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "no_vpc", means: "gone" });
  });

  it("has an unknown outcome and is retryable when the connection is lost", async () => {
    const cloud = scriptedCloud(new Error("reset"));
    expect(await sampleProvider().update(cloud.context(), updateCall())).toMatchObject({
      retryable: true,
      unknownOutcome: true,
    });
  });

  it("is not done when a web page answers it", async () => {
    const page = new Response("<html>", {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
    const outcome = await sampleProvider().update(scriptedCloud(page).context(), updateCall());
    expect(outcome).toMatchObject({
      code: "invalid_answer",
      retryable: true,
      unknownOutcome: true,
    });
  });

  it("is rejected for a type whose every change replaces", async () => {
    const cloud = scriptedCloud();
    const outcome = await sampleProvider({ update: "none" }).update(cloud.context(), updateCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "not_updatable" });
    expect(cloud.requests).toHaveLength(0);
  });

  it("sends a property named __proto__ like any other", async () => {
    const cloud = scriptedCloud(json(thing()));
    const properties = JSON.parse('{"size":1,"__proto__":{"a":1}}') as JsonMap;
    await sampleProvider().update(cloud.context(), updateCall({ properties }));
    expect(JSON.stringify(cloud.requests[0]?.body)).toBe('{"__proto__":{"a":1}}');
  });
});

describe("delete", () => {
  it("is done when a read confirms it", async () => {
    const cloud = scriptedCloud(empty(), empty(404));
    const outcome = await sampleProvider({ paths: { delete: "/v2/things/{id}" } }).delete(
      cloud.context(),
      del,
    );
    expect(cloud.lines()).toEqual(["DELETE /v2/things/t-1", "GET /v1/things/t-1"]);
    expect(outcome).toEqual({ kind: "gone" });
  });

  it.for([404, 410])("is looked at again on %i", async (status) => {
    const cloud = scriptedCloud(empty(status));
    expect(await sampleProvider().delete(cloud.context(), del)).toMatchObject({
      kind: "pending",
      id: "t-1",
      afterMs: 2_000,
    });
  });

  it("is pending when it was only accepted", async () => {
    const accepted = scriptedCloud(empty(202));
    const declared = scriptedCloud(empty(204));
    const row = { delete: { asynchronous: true } } as const;
    for (const outcome of [
      await sampleProvider().delete(accepted.context(), del),
      await sampleProvider(row).delete(declared.context(), del),
    ])
      expect(outcome).toMatchObject({ kind: "pending", id: "t-1", handle: { sinceMs: 1_000_000 } });
  });

  it("sends no request for an object that cannot be deleted on its own", async () => {
    const cloud = scriptedCloud();
    const outcome = await sampleProvider({ delete: "none" }).delete(cloud.context(), del);
    expect(outcome).toEqual({ kind: "gone" });
    expect(cloud.requests).toHaveLength(0);
  });

  it("fails when the provider rejects it", async () => {
    const cloud = scriptedCloud(json({ code: "in_use", message: "has members" }, 409));
    const outcome = await sampleProvider().delete(cloud.context(), del);
    expect(outcome).toMatchObject({ kind: "failed", code: "in_use", retryable: false });
  });
});
