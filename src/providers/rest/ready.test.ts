import { describe, expect, it } from "vitest";
import { createCall, pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import type { RestType } from "./rest-type.ts";

describe("readiness", () => {
  const poll = async (row: Partial<RestType>, ...answers: Response[]) => {
    const cloud = scriptedCloud(...answers);
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("create"));
    return { outcome, lines: cloud.lines() };
  };
  const absent: Partial<RestType> = { state: { path: "task", ready: ["done"], absent: true } };
  const at: Partial<RestType> = {
    state: { path: "status", ready: ["up"], fail: ["down"], at: "/v1/things/{id}/health" },
  };

  it("is reached without a value where the row says so", async () => {
    expect((await poll(absent, json(thing()))).outcome).toMatchObject({ kind: "done" });
    const nulled = await poll(absent, json(thing({ task: null })));
    expect(nulled.outcome).toMatchObject({ kind: "done" });
    const busy = await poll(absent, json(thing({ task: "resizing" })));
    expect(busy.outcome).toMatchObject({ kind: "pending", id: "t-1" });
  });

  it("is read at another path", async () => {
    const { outcome, lines } = await poll(at, json(thing()), json({ status: "up" }));
    expect(lines).toEqual(["GET /v1/things/t-1", "GET /v1/things/t-1/health"]);
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing() });
    const waits = await poll(at, json(thing()), json({ status: "starting" }));
    expect(waits.outcome).toMatchObject({ kind: "pending", id: "t-1" });
    const fails = await poll(at, json(thing()), json({ status: "down" }));
    expect(fails.outcome).toMatchObject({ kind: "failed", code: "resource_failed", id: "t-1" });
  });

  it("is told of the first of a list without its place", async () => {
    const first: Partial<RestType> = {
      state: { path: "0.status", ready: ["up"], at: "/v1/things/{id}/starts" },
    };
    const { outcome } = await poll(first, json(thing()), json([{ status: "starting" }]));
    expect(outcome).toMatchObject({ kind: "pending", note: 'status is "starting"' });
  });

  it("is waited for while the other path shows nothing, or cannot be read", async () => {
    for (const answer of [empty(404), empty(503)])
      expect((await poll(at, json(thing()), answer)).outcome).toMatchObject({
        kind: "pending",
        id: "t-1",
      });
  });

  it("that may not be read leaves the object's id", async () => {
    const { outcome } = await poll(at, json(thing()), empty(403));
    expect(outcome).toMatchObject({ kind: "failed", means: "denied", id: "t-1", unread: true });
    const cloud = scriptedCloud(json(thing(), 201), empty(403));
    const made = await sampleProvider(at).create(cloud.context(), createCall());
    expect(made).toMatchObject({ kind: "failed", means: "denied", id: "t-1", unread: true });
  });
});
