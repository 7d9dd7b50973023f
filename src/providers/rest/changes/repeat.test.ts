import { describe, expect, it } from "vitest";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { createCall, lookUpCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const byName: Partial<RestType> = {
  find: { by: "name", query: "label" },
  envelope: { list: "things" },
};
const byTag: Partial<RestType> = {
  find: { by: "tag", property: "tags", query: "tag" },
  envelope: { list: "things" },
};
const looked = lookUpCall();
const conflict = (): Response => json({ code: "taken", message: "exists" }, 409);

describe("what a row says about repeated creates", () => {
  const context = scriptedCloud().context();
  const factsOf = (row: Partial<RestType>) => sampleProvider(row).repeats(context, "vultr:Thing");

  it("allows none without a token or a look-up", () => {
    expect(factsOf({})).toEqual({
      longestRequestMs: 60_000,
      repeatableMs: 0,
      findable: false,
    });
  });

  it("counts a token for its life, or for an hour where the cloud does not say", () => {
    const header = { header: "x-once" };
    expect(factsOf({ create: { token: header } })).toMatchObject({ repeatableMs: 3_600_000 });
    expect(factsOf({ create: { token: { ...header, lifeMs: 5 } } })).toMatchObject({
      repeatableMs: 5,
    });
  });

  it("always allows a PUT, which makes one object however often it is sent", () => {
    expect(factsOf({ create: { method: "PUT" } })).toMatchObject({
      repeatableMs: Number.POSITIVE_INFINITY,
    });
  });

  it("names the longest request of the row, and what can be found", () => {
    const row = { ...byName, create: { longestRequestMs: 90_000 } };
    expect(factsOf(row)).toEqual({
      longestRequestMs: 90_000,
      repeatableMs: 0,
      findable: true,
    });
  });

  it("allows nothing for a type that the provider does not have", () => {
    const facts = sampleProvider(byName).repeats(context, "vultr:Other");
    expect(facts).toMatchObject({ repeatableMs: 0, findable: false });
  });
});

describe("a create that is sent again", () => {
  it("has the same token", async () => {
    const provider = sampleProvider({ ...byName, create: { token: { header: "x-once" } } });
    const cloud = scriptedCloud(json(thing(), 201));
    await provider.create(cloud.context(), createCall());
    expect(cloud.lines()).toEqual(["POST /v1/things"]);
    expect(cloud.requests[0]?.headers.get("x-once")).toBe("token-1");
  });

  it("goes to the same place by PUT", async () => {
    const provider = sampleProvider({
      create: { method: "PUT" },
      paths: { create: "/v1/things/{name}" },
    });
    const cloud = scriptedCloud(json(thing()));
    expect(await provider.create(cloud.context(), createCall())).toMatchObject({ kind: "done" });
    expect(cloud.lines()).toEqual(["PUT /v1/things/thing-one"]);
  });
});

describe("a look-up", () => {
  it("adopts the object with the engine's name", async () => {
    const list = json({ things: [thing({ id: "t-0", name: "thing-one-more" }), thing()] });
    const cloud = scriptedCloud(list, json(thing({ size: 1, zone: "a" })));
    const outcome = await sampleProvider(byName).lookUp(cloud.context(), looked);
    expect(cloud.lines()).toEqual(["GET /v1/things?label=thing-one", "GET /v1/things/t-1"]);
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing({ zone: "a" }) });
  });

  it("unwraps the items of a list", async () => {
    const cloud = scriptedCloud(json([{ thing: thing(), cursor: "c" }]), json(thing()));
    const provider = sampleProvider(byName, {
      listed: (answer) => [valueAt(answer, "0.thing") ?? null],
    });
    const outcome = await provider.lookUp(cloud.context(), looked);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("finds nothing when no object has the name, and sends no create", async () => {
    const cloud = scriptedCloud(json({ things: [thing({ name: "other" })] }));
    const outcome = await sampleProvider(byName).lookUp(cloud.context(), looked);
    expect(cloud.lines()).toEqual(["GET /v1/things?label=thing-one"]);
    expect(outcome).toEqual({ kind: "gone" });
  });

  it("finds nothing when the object with the name is gone", async () => {
    const cloud = scriptedCloud(json({ things: [thing()] }), empty(404));
    expect(await sampleProvider(byName).lookUp(cloud.context(), looked)).toEqual({ kind: "gone" });
  });

  it("passes over what the instance already has", async () => {
    const cloud = scriptedCloud(json({ things: [thing({ id: "t-9", name: "web" })] }));
    const call = lookUpCall({ properties: { name: "web" }, known: ["t-9"] });
    expect(await sampleProvider(byName).lookUp(cloud.context(), call)).toEqual({ kind: "gone" });
  });

  it("does not adopt an object with a name from the template", async () => {
    const cloud = scriptedCloud(json({ things: [thing({ name: "web" })] }));
    const call = lookUpCall({ properties: { name: "web" } });
    const outcome = await sampleProvider(byName).lookUp(cloud.context(), call);
    expect(outcome).toMatchObject({
      kind: "failed",
      code: "cannot_tell",
      retryable: false,
      unknownOutcome: true,
    });
    expect(outcome).toMatchObject({ message: expect.stringContaining("t-1") });
    expect(cloud.requests).toHaveLength(1);
  });

  it("does not choose between two objects with the name", async () => {
    const cloud = scriptedCloud(json({ things: [thing(), thing({ id: "t-2" })] }));
    const outcome = await sampleProvider(byName).lookUp(cloud.context(), looked);
    expect(outcome).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });

  it("fails when the list cannot be read", async () => {
    for (const answer of [json({}, 503), new Error("reset"), json({ things: "?" })]) {
      const cloud = scriptedCloud(answer);
      const outcome = await sampleProvider(byName).lookUp(cloud.context(), looked);
      expect(outcome).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
      expect(cloud.requests).toHaveLength(1);
    }
  });

  it("is refused where the row or the properties give nothing to look for", async () => {
    const cloud = scriptedCloud();
    const untold = { code: "cannot_tell", retryable: false, unknownOutcome: true };
    expect(await sampleProvider().lookUp(cloud.context(), looked)).toMatchObject(untold);
    const call = lookUpCall({ properties: { name: 7 } });
    expect(await sampleProvider(byName).lookUp(cloud.context(), call)).toMatchObject(untold);
    expect(cloud.requests).toHaveLength(0);
  });

  it("waits for an adopted object that is not ready", async () => {
    const row = { ...byName, state: { path: "state", ready: ["on"] } };
    const found = thing({ state: "building" });
    const cloud = scriptedCloud(json({ things: [found] }), json(found));
    const outcome = await sampleProvider(row).lookUp(cloud.context(), looked);
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
  });

  it("keeps the id of an adopted object when reading it fails temporarily", async () => {
    const cloud = scriptedCloud(json({ things: [thing()] }), json({}, 503));
    const outcome = await sampleProvider(byName).lookUp(cloud.context(), looked);
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
  });
});

describe("a paged lookup", () => {
  const paging = { by: "link", at: "next" } as const;

  it("reads all pages", async () => {
    const cloud = scriptedCloud(
      json({ things: [thing({ id: "t-0", name: "x" })], next: "/v1/things?page=2&team=a" }),
      json({ things: [thing()] }),
      json(thing()),
    );
    const provider = sampleProvider(byName, { paging, query: () => ({ team: "a" }) });
    const outcome = await provider.lookUp(cloud.context(), looked);
    expect(cloud.lines().slice(0, 2)).toEqual([
      "GET /v1/things?team=a&label=thing-one",
      "GET /v1/things?page=2&team=a",
    ]);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("does not send the credential to another origin", async () => {
    const next = "https://evil.example/v1/things?page=2";
    const cloud = scriptedCloud(json({ things: [], next }));
    const provider = sampleProvider(byName, { paging });
    const outcome = await provider.lookUp(cloud.context(), looked);
    expect(outcome).toMatchObject({ kind: "failed", code: "invalid_url" });
    expect(cloud.requests).toHaveLength(1);
  });

  it("stops at the page limit", async () => {
    const pages = Array.from({ length: 30 }, () => json({ things: [], next: "/v1/things?more" }));
    const cloud = scriptedCloud(...pages);
    const provider = sampleProvider(byName, { paging });
    const outcome = await provider.lookUp(cloud.context(), looked);
    expect(outcome).toMatchObject({ kind: "failed", code: "cannot_tell" });
    expect(cloud.requests).toHaveLength(20);
  });
});

describe("a mark in the tags", () => {
  it("is added on create, found by a look-up, and removed from outputs", async () => {
    const first = scriptedCloud(json(thing({ tags: ["own", "control:token-1"] }), 201));
    const properties = { name: "web", tags: ["own"] };
    const made = await sampleProvider(byTag).create(first.context(), createCall({ properties }));
    expect(first.requests[0]?.body).toEqual({ name: "web", tags: ["own", "control:token-1"] });
    expect(made).toMatchObject({ kind: "done", outputs: { tags: ["own"] } });

    const items = [
      thing({ tags: ["own"] }),
      thing({ id: "t-2", tags: ["own", "control:token-1"] }),
    ];
    const cloud = scriptedCloud(json({ things: items }), json(items[1] ?? null));
    const call = lookUpCall({ properties });
    const found = await sampleProvider(byTag).lookUp(cloud.context(), call);
    expect(cloud.lines()[0]).toBe("GET /v1/things?tag=control%3Atoken-1");
    expect(found).toMatchObject({ kind: "done", id: "t-2", outputs: { tags: ["own"] } });
  });
});

describe("a create that meets a conflict", () => {
  it("adopts an object that is provably ours", async () => {
    const cloud = scriptedCloud(conflict(), json({ things: [thing()] }), json(thing()));
    const outcome = await sampleProvider(byName).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("fails with the provider's message when nothing is found", async () => {
    const cloud = scriptedCloud(conflict(), json({ things: [] }));
    const outcome = await sampleProvider(byName).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "taken", retryable: false, unknownOutcome: false });
  });

  it("does not adopt an object that may belong to someone else", async () => {
    const cloud = scriptedCloud(conflict(), json({ things: [thing({ name: "web" })] }));
    const call = createCall({ properties: { name: "web" } });
    const outcome = await sampleProvider(byName).create(cloud.context(), call);
    expect(outcome).toMatchObject({ code: "already_exists", unknownOutcome: false });
  });

  it("does not look up after any other failure", async () => {
    const cloud = scriptedCloud(json({ code: "invalid" }, 422));
    const outcome = await sampleProvider(byName).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "invalid" });
    expect(cloud.requests).toHaveLength(1);
  });

  it("fails at once without a lookup", async () => {
    const cloud = scriptedCloud(conflict());
    const outcome = await sampleProvider().create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ code: "taken" });
    expect(cloud.requests).toHaveLength(1);
  });
});
