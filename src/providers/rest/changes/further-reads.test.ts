import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { createCall, pollCall, sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const row: Partial<RestType> = {
  read: {
    further: [
      { path: "/v1/things/{id}/connection", from: "connection", to: "connection" },
      { path: "/v1/things/{id}/listKeys", method: "POST", to: "keys.all" },
    ],
  },
};
const connection = (): Response => json({ connection: { uri: "db://x" } });
const keys = (): Response => json(["k1", "k2"]);
const whole: JsonMap = thing({ connection: { uri: "db://x" }, keys: { all: ["k1", "k2"] } });
const read = { type: "vultr:Thing", id: "t-1", properties: {} };

describe("further reads", () => {
  it("become outputs of a create, an update, a poll and a read", async () => {
    const provider = sampleProvider(row);
    const created = scriptedCloud(json(thing(), 201), connection(), keys());
    expect(await provider.create(created.context(), createCall())).toEqual({
      kind: "done",
      id: "t-1",
      outputs: whole,
    });
    expect(created.lines().slice(1)).toEqual([
      "GET /v1/things/t-1/connection",
      "POST /v1/things/t-1/listKeys",
    ]);
    const updated = scriptedCloud(json(thing()), connection(), keys());
    expect(await provider.update(updated.context(), updateCall())).toMatchObject({
      outputs: whole,
    });
    const polled = scriptedCloud(json(thing()), connection(), keys());
    expect(await provider.poll(polled.context(), pollCall("create"))).toMatchObject({
      outputs: whole,
    });
    const shown = scriptedCloud(json(thing()), connection(), keys());
    expect(await provider.read(shown.context(), read)).toMatchObject({ outputs: whole });
  });

  it("are made once the object is usable", async () => {
    const state = { path: "state", ready: ["on"] };
    const cloud = scriptedCloud(json(thing({ state: "building" }), 201));
    const outcome = await sampleProvider({ ...row, state }).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
    expect(cloud.requests).toHaveLength(1);
  });

  it("are not made while a delete is waited for", async () => {
    const cloud = scriptedCloud(json(thing()));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("delete"));
    expect(outcome).toMatchObject({ kind: "pending" });
    expect(cloud.requests).toHaveLength(1);
  });

  it("that are denied do not fail the create: the output is absent, and a note says why", async () => {
    const denied = json({ code: "forbidden", message: "needs view_credentials" }, 403);
    const cloud = scriptedCloud(json(thing(), 201), denied, keys());
    const outcome = await sampleProvider(row).create(cloud.context(), createCall());
    expect(outcome).toEqual({
      kind: "done",
      id: "t-1",
      outputs: thing({ keys: { all: ["k1", "k2"] } }),
      note: "no connection: vultr answered 403 to GET /v1/things/t-1/connection: needs view_credentials",
    });
  });

  it("that have no value where it should be leave a note", async () => {
    const cloud = scriptedCloud(json(thing(), 201), json({}), keys());
    expect(await sampleProvider(row).create(cloud.context(), createCall())).toMatchObject({
      kind: "done",
      note: "no connection: vultr answered without connection",
    });
  });

  it("that fail for a while keep the id and are waited for", async () => {
    for (const answer of [json({}, 503), json({}, 429), new Error("reset")]) {
      const cloud = scriptedCloud(json(thing(), 201), answer);
      const outcome = await sampleProvider(row).create(cloud.context(), createCall());
      expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
    }
  });

  it("by POST have no unknown outcome, since they change nothing", async () => {
    const cloud = scriptedCloud(json(thing()), connection(), json({}, 503));
    expect(await sampleProvider(row).read(cloud.context(), read)).toMatchObject({
      kind: "failed",
      retryable: true,
      unknownOutcome: false,
    });
  });

  it("of what is not there yet are waited for, a minute from when the object was usable", async () => {
    const provider = sampleProvider(row);
    const start = 1_000_000;
    const late = start + 600_000;
    const missing = () => scriptedCloud(json(thing()), empty(404), keys());
    const polled = async (nowMs: number, handle: JsonMap) =>
      provider.poll(missing().context({ now: () => nowMs }), pollCall("create", { handle }));
    const first = await polled(late, { sinceMs: start });
    expect(first).toMatchObject({ kind: "pending", id: "t-1", handle: { usableMs: late } });
    const handle = { sinceMs: start, usableMs: late };
    expect(await polled(late + 59_000, handle)).toMatchObject({ kind: "pending" });
    expect(await polled(late + 60_000, handle)).toMatchObject({
      kind: "done",
      note: expect.stringContaining("no connection"),
    });
  });

  it("of what is not there are not waited for by a plain read", async () => {
    const cloud = scriptedCloud(json(thing()), empty(404), keys());
    expect(await sampleProvider(row).read(cloud.context(), read)).toMatchObject({
      kind: "done",
      note: expect.stringContaining("no connection"),
    });
  });

  it("are among the outputs that a type is known to have", () => {
    const facts = sampleProvider({ ...row, outputs: ["id"], secretOutputs: ["connection.uri"] });
    expect(facts.facts("vultr:Thing")).toMatchObject({
      outputs: ["id", "connection", "keys"],
      secretOutputs: ["connection.uri"],
    });
  });
});
