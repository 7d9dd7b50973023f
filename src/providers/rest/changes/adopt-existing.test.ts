import { describe, expect, it } from "vitest";
import type { RestType } from "#providers/rest/rest-type.ts";
import { createCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

describe("a name that a deleted object keeps", () => {
  const row: Partial<RestType> = {
    id: { known: "{name}" },
    state: { path: "state", gone: ["deleted"] },
  };
  const provider = sampleProvider(row, {
    undelete: () => ({ method: "POST", path: "/v1/things/{id}:undelete" }),
  });
  const taken = () => json({ code: "taken", message: "exists" }, 409);
  const deleted = () => json(thing({ state: "deleted" }));
  const own = { ownAccount: true } as const;

  it("is used again by bringing the object back and updating it", async () => {
    const cloud = scriptedCloud(taken(), deleted(), json({}), json(thing()));
    const outcome = await provider.create(cloud.context(own), createCall());
    expect(cloud.lines()).toEqual([
      "POST /v1/things",
      "GET /v1/things/thing-one",
      "POST /v1/things/thing-one:undelete",
      "PATCH /v1/things/thing-one",
    ]);
    expect(cloud.requests[3]?.body).toEqual({ size: 1 });
    expect(outcome).toMatchObject({ kind: "done", id: "thing-one" });
  });

  it("does not bring back what may be another tenant's, in an account that tenants share", async () => {
    const cloud = scriptedCloud(taken());
    const outcome = await provider.create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "already_exists", means: "exists" });
    expect(cloud.requests).toHaveLength(1);
  });

  it("does not take over an object that is not deleted", async () => {
    const cloud = scriptedCloud(taken(), json(thing({ state: "on" })));
    const outcome = await provider.create(cloud.context(own), createCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "taken" });
    expect(cloud.requests).toHaveLength(2);
  });

  it("keeps the id when the update is refused", async () => {
    const cloud = scriptedCloud(taken(), deleted(), json({}), empty(422));
    const outcome = await provider.create(cloud.context(own), createCall());
    expect(outcome).toMatchObject({ kind: "failed", means: "invalid", id: "thing-one" });
  });

  it("stays taken when there is nothing to bring back", async () => {
    const cloud = scriptedCloud(taken(), empty(404), empty(404));
    const outcome = await provider.create(cloud.context(own), createCall());
    expect(outcome).toMatchObject({ kind: "failed", code: "taken" });
  });
});
