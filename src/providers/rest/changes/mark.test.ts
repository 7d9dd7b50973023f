import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import {
  createCall,
  lookUpCall,
  sampleProvider,
  updateCall,
} from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { markOf, withMarks } from "./mark.ts";

const byLabel: Partial<RestType> = {
  find: {
    by: "label",
    property: "meta.labels",
    key: "made-by",
    query: "filter=labels.made-by:{value}",
  },
  envelope: { list: "things" },
};
const byTag: Partial<RestType> = {
  find: { by: "tag", property: "tags" },
  envelope: { list: "things" },
};
const marked = (labels: JsonMap): JsonMap => ({
  meta: { labels: { ...labels, "made-by": "token-0" } },
});

describe("a mark as a label", () => {
  const properties = { meta: { labels: { own: "1" }, kind: "x" } };

  it("is added on create and removed from outputs", async () => {
    const sent = { meta: { labels: { own: "1", "made-by": "token-1" }, kind: "x" } };
    const cloud = scriptedCloud(json(thing(sent), 201));
    const made = await sampleProvider(byLabel).create(cloud.context(), createCall({ properties }));
    expect(cloud.requests[0]?.body).toEqual({ ...sent, name: "thing-one" });
    expect(made).toMatchObject({ kind: "done", outputs: properties });
    expect(JSON.stringify(made)).not.toContain("token-1");
  });

  it("is found by a look-up, whatever the object's name", async () => {
    const label = (value: string) => ({ meta: { labels: { "made-by": value } } });
    const things = [
      thing({ id: "t-0", ...label("token-2") }),
      thing({ id: "t-1", name: "x", ...label("token-1") }),
      thing({ id: "t-2", meta: { labels: { other: "token-1" } } }),
      thing({ id: "t-3", name: "token-1" }),
    ];
    const cloud = scriptedCloud(json({ things }), json(things[1] ?? null));
    const found = await sampleProvider(byLabel).lookUp(cloud.context(), lookUpCall());
    expect(cloud.lines()[0]).toBe("GET /v1/things?filter=labels.made-by%3Atoken-1");
    expect(found).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("is found and removed where the cloud shows it elsewhere", async () => {
    const row = { ...byLabel, compare: { at: { "meta.labels": "metadata" } } };
    const shown = thing({ metadata: { "made-by": "token-1", own: "1" } });
    const cloud = scriptedCloud(json({ things: [shown] }), json(shown));
    const found = await sampleProvider(row).lookUp(cloud.context(), lookUpCall());
    expect(found).toMatchObject({ kind: "done", outputs: { metadata: { own: "1" } } });
    expect(JSON.stringify(found)).not.toContain("token-1");
  });
});

describe("an update of an object with a mark", () => {
  const before = { tags: ["a"], size: 1 };

  it("with whole tags keeps the mark", async () => {
    const shown = thing({ tags: ["a", "control:token-0"] });
    const cloud = scriptedCloud(json(shown), json(thing({ tags: ["b", "control:token-0"] })));
    const call = updateCall({ before, properties: { tags: ["b"], size: 1 } });
    const outcome = await sampleProvider(byTag).update(cloud.context(), call);
    expect(cloud.requests[1]?.body).toEqual({ tags: ["b", "control:token-0"] });
    expect(outcome).toMatchObject({ outputs: { tags: ["b"] } });
  });

  it("whose tags are gone keeps the mark alone", async () => {
    const cloud = scriptedCloud(json(thing({ tags: ["a", "control:token-0"] })), json(thing()));
    const call = updateCall({ before, properties: { size: 1 } });
    await sampleProvider(byTag).update(cloud.context(), call);
    expect(cloud.requests[1]?.body).toEqual({ tags: ["control:token-0"] });
  });

  it("with a whole body keeps the mark", async () => {
    const cloud = scriptedCloud(json(thing({ tags: ["a", "control:token-0"] })), json(thing()));
    const call = updateCall({ before, properties: { tags: ["a"], size: 2 } });
    await sampleProvider({ ...byTag, update: "PUT" }).update(cloud.context(), call);
    expect(cloud.requests[1]?.body).toMatchObject({ tags: ["a", "control:token-0"], size: 2 });
  });

  it("that leaves the tags alone does not read the object", async () => {
    const cloud = scriptedCloud(json(thing()));
    const call = updateCall({ before, properties: { tags: ["a"], size: 2 } });
    await sampleProvider(byTag).update(cloud.context(), call);
    expect(cloud.lines()).toEqual(["PATCH /v1/things/t-1"]);
  });

  it.for([
    ["PATCH", { meta: { labels: { b: "1", "made-by": "token-0" } } }],
    ["MERGE", { meta: { labels: { a: null, b: "1" } } }],
    ["PUT", { name: "thing-one", meta: { labels: { b: "1", "made-by": "token-0" } } }],
  ] as const)("with labels keeps the mark by %s", async ([update, body]) => {
    const cloud = scriptedCloud(json(thing(marked({ a: "1" }))), json(thing()));
    const call = updateCall({
      before: { meta: { labels: { a: "1" } } },
      properties: { meta: { labels: { b: "1" } } },
    });
    await sampleProvider({ ...byLabel, update }).update(cloud.context(), call);
    expect(cloud.requests[1]?.body).toEqual(body);
  });

  it("whose labels are gone keeps the mark by merge patch", async () => {
    const cloud = scriptedCloud(json(thing(marked({ a: "1" }))), json(thing()));
    const call = updateCall({ before: { meta: { labels: { a: "1" } } }, properties: {} });
    await sampleProvider({ ...byLabel, update: "MERGE" }).update(cloud.context(), call);
    expect(cloud.requests[1]?.body).toEqual({ meta: { labels: { a: null } } });
  });
});

describe("what a template says of marks", () => {
  it.for<[string, Partial<RestType>, JsonMap]>([
    ["a label", byLabel, { meta: { labels: { "made-by": "me" } } }],
    ["a tag", byTag, { tags: ["control:token-9"] }],
  ])("is refused: %s of its own would count as one", async ([, row, properties]) => {
    const cloud = scriptedCloud();
    const refused = {
      kind: "failed",
      code: "reserved_value",
      retryable: false,
      unknownOutcome: false,
    };
    const provider = sampleProvider(row);
    const made = await provider.create(cloud.context(), createCall({ properties }));
    expect(made).toMatchObject(refused);
    const changed = await provider.update(cloud.context(), updateCall({ properties }));
    expect(changed).toMatchObject(refused);
    expect(cloud.requests).toHaveLength(0);
  });
});

describe("a look-up by properties", () => {
  const row: Partial<RestType> = {
    find: { by: "properties", properties: ["label", "spec.plan"], createdAt: "made" },
    compare: { at: { "spec.plan": "plan" } },
    envelope: { list: "things" },
  };
  const sentMs = Date.parse("2026-01-02T00:10:00Z");
  const call = lookUpCall({ properties: { label: "web", spec: { plan: "s" } }, sentMs });
  const one = (id: string, more: JsonMap = {}): JsonMap => ({
    id,
    name: "thing-one",
    label: "web",
    plan: "s",
    made: "2026-01-02T00:10:05Z",
    ...more,
  });

  it("adopts the only one that was created since", async () => {
    const things = [
      one("t-1", { made: "2026-01-02T00:08:59Z" }),
      one("t-2", { label: "other" }),
      one("t-3", { plan: "l" }),
      one("t-4", { made: "2026-01-02T00:09:59Z" }),
    ];
    const cloud = scriptedCloud(json({ things }), json(things[3] ?? null));
    const outcome = await sampleProvider(row).lookUp(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "done", id: "t-4" });
  });

  it.for([Math.floor(sentMs / 1000) + 1, sentMs + 1])(
    "reads times as numbers: %i",
    async (made) => {
      const cloud = scriptedCloud(json({ things: [one("t-1", { made })] }), json(one("t-1")));
      const outcome = await sampleProvider(row).lookUp(cloud.context(), call);
      expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
    },
  );

  it.for<[string, JsonMap[]]>([
    ["two that match", [one("t-1"), one("t-2")]],
    ["one without a time", [one("t-1", { made: null })]],
    [
      "one from just before, by a clock that nobody knows",
      [one("t-1", { made: "2026-01-02T00:09:30Z" })],
    ],
  ])("does not choose: %s", async ([, things]) => {
    const cloud = scriptedCloud(json({ things }));
    const outcome = await sampleProvider(row).lookUp(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "failed", code: "cannot_tell", unknownOutcome: true });
    expect(cloud.requests).toHaveLength(1);
  });

  it.for<[string, JsonMap[], ReturnType<typeof json>, JsonMap]>([
    ["one that is ours", [{ label: "web" }], json(one("t-1")), { kind: "done", id: "t-1" }],
    ["a stranger's", [{ label: "web" }], json(one("t-1", { plan: "l" })), { kind: "gone" }],
    [
      "a stranger's, by what the list shows of it too",
      [{ label: "web", plan: "s" }],
      json(one("t-1", { name: "other" })),
      { code: "cannot_tell" },
    ],
    ["one that is gone by now", [{ label: "web" }], empty(404), { kind: "gone" }],
    [
      "one that nobody may read",
      [{ label: "web", plan: "s" }],
      json({ message: "no" }, 403),
      { code: "cannot_tell" },
    ],
    [
      "one that cannot be read now",
      [{ label: "web" }],
      json({ message: "no" }, 503),
      { retryable: true, unknownOutcome: true },
    ],
    [
      "one that hides in a read, too, what it is made of",
      [{ label: "web" }],
      json({ id: "t-1", label: "web", made: "2026-01-02T00:10:05Z" }),
      { code: "cannot_tell" },
    ],
  ])("reads what a list shows in part: %s", async ([, listed, read, outcome]) => {
    const made = "2026-01-02T00:10:05Z";
    const things = listed.map((more) => ({ id: "t-1", made, ...more }));
    const again = json(one("t-1"));
    const cloud = scriptedCloud(json({ things }), read, again);
    expect(await sampleProvider(row).lookUp(cloud.context(), call)).toMatchObject(outcome);
    expect(cloud.lines().slice(0, 2)).toEqual(["GET /v1/things", "GET /v1/things/t-1"]);
  });

  it("reads no more than 20 of those", async () => {
    const made = "2026-01-02T00:10:05Z";
    const things = Array.from({ length: 21 }, (_, at) => ({ id: `t-${at}`, label: "web", made }));
    const cloud = scriptedCloud(json({ things }));
    const outcome = await sampleProvider(row).lookUp(cloud.context(), call);
    expect(outcome).toMatchObject({ code: "cannot_tell", unknownOutcome: true });
    expect(cloud.requests).toHaveLength(1);
  });

  it.for<[string, number, string, string]>([
    ["a stranger's, made just before the create", 0, "2026-01-02T00:09:30Z", "gone"],
    ["ours, by a clock that is behind", -120_000, "2026-01-02T00:08:05Z", "done"],
    ["a stranger's, by a clock that is behind", -120_000, "2026-01-02T00:07:50Z", "gone"],
    ["a stranger's, by a clock that is ahead", 120_000, "2026-01-02T00:11:50Z", "gone"],
    ["ours, by a clock that is ahead", 120_000, "2026-01-02T00:12:01Z", "done"],
  ])("knows whose an object is by the cloud's clock: %s", async ([, skewMs, made, kind]) => {
    const date = new Date(1_000_000 + skewMs).toUTCString();
    const things = { things: [one("t-1", { made })] };
    const cloud = scriptedCloud(json(things, 200, { date }), json(one("t-1")));
    expect(await sampleProvider(row).lookUp(cloud.context(), call)).toMatchObject({ kind });
  });

  it("finds nothing among what was there before", async () => {
    const made = "2025-01-01T00:00:00Z";
    const hides = { id: "t-2", label: "web", made };
    const cloud = scriptedCloud(json({ things: [one("t-1", { made }), hides] }));
    expect(await sampleProvider(row).lookUp(cloud.context(), call)).toEqual({ kind: "gone" });
  });

  it("passes over what the instance already has", async () => {
    const cloud = scriptedCloud(json({ things: [one("t-1"), one("t-2")] }), json(one("t-2")));
    const outcome = await sampleProvider(row).lookUp(cloud.context(), { ...call, known: ["t-1"] });
    expect(outcome).toMatchObject({ kind: "done", id: "t-2" });
  });

  it("is impossible when nobody knows when the create was sent", async () => {
    const { sentMs: _, ...unknown } = call;
    const outcome = await sampleProvider(row).lookUp(scriptedCloud().context(), unknown);
    expect(outcome).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });
});

describe("a create by PUT behind a guard", () => {
  const guardedBy = (guard: "header" | "read"): Partial<RestType> => ({
    ...byTag,
    paths: { create: "/v1/things/{name}" },
    create: { method: "PUT", guard },
  });
  const guardedRow = guardedBy("read");
  const ours = thing({ tags: ["control:token-1"] });
  const foreign = thing({ tags: ["control:token-0"] });
  const context = scriptedCloud().context();

  it("may be repeated for ever, because its mark shows whose the object is", () => {
    const facts = sampleProvider(guardedRow).repeats(context, "vultr:Thing");
    expect(facts.repeatableMs).toBe(Number.POSITIVE_INFINITY);
  });

  it("may not be repeated where nothing shows whose the object is", () => {
    const { find: _, ...unmarked } = guardedRow;
    expect(sampleProvider(unmarked).repeats(context, "vultr:Thing")).toMatchObject({
      repeatableMs: 0,
      findable: false,
    });
  });

  it("that reads first puts where nothing is", async () => {
    const cloud = scriptedCloud(empty(404), json(ours, 201));
    const outcome = await sampleProvider(guardedRow).create(cloud.context(), createCall());
    expect(cloud.lines()).toEqual(["GET /v1/things/thing-one", "PUT /v1/things/thing-one"]);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1", outputs: { tags: [] } });
  });

  it("that reads first does not take over what somebody else made", async () => {
    for (const there of [foreign, thing(), thing({ tags: "token-1" })]) {
      const cloud = scriptedCloud(json(there));
      const provider = sampleProvider(guardedRow);
      const outcome = await provider.create(cloud.context(), createCall());
      expect(cloud.lines()).toEqual(["GET /v1/things/thing-one"]);
      expect(outcome).toMatchObject({ code: "already_exists", unknownOutcome: false });
      expect(outcome).toMatchObject({
        message: expect.stringContaining("Import it, delete it, or"),
      });
    }
  });

  it("that reads first adopts what its lost answer made", async () => {
    const provider = sampleProvider(guardedRow);
    const lost = scriptedCloud(empty(404), new Error("reset"));
    expect(await provider.create(lost.context(), createCall())).toMatchObject({
      unknownOutcome: true,
    });
    const again = scriptedCloud(json(ours), json(ours));
    expect(await provider.create(again.context(), createCall())).toMatchObject({
      kind: "done",
      id: "t-1",
    });
    expect(again.lines()).toEqual(["GET /v1/things/thing-one", "GET /v1/things/t-1"]);
  });

  it("that reads first puts again what an earlier attempt left failed", async () => {
    const row: Partial<RestType> = {
      ...guardedRow,
      state: { path: "state", ready: ["Succeeded"], fail: ["Failed"] },
    };
    const left = () => json(thing({ ...ours, state: "Failed" }));
    const cloud = scriptedCloud(left(), left(), json({ ...ours, state: "Succeeded" }));
    const outcome = await sampleProvider(row).create(cloud.context(), createCall());
    expect(cloud.lines().at(-1)).toBe("PUT /v1/things/thing-one");
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("that reads first sends nothing when it cannot read", async () => {
    const cloud = scriptedCloud(json({}, 503));
    const outcome = await sampleProvider(guardedRow).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: false });
    expect(cloud.requests).toHaveLength(1);
  });

  it("by header has the cloud check", async () => {
    const cloud = scriptedCloud(json(ours, 201));
    await sampleProvider(guardedBy("header")).create(cloud.context(), createCall());
    expect(cloud.lines()).toEqual(["PUT /v1/things/thing-one"]);
    expect(cloud.requests[0]?.headers.get("if-none-match")).toBe("*");
  });

  it("is not created again by an update of what is gone", async () => {
    const { find: _, ...unmarked } = guardedRow;
    const provider = sampleProvider({ ...unmarked, update: "PUT" });
    const cloud = scriptedCloud(empty(404));
    expect(await provider.update(cloud.context(), updateCall())).toEqual({ kind: "gone" });
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1"]);
  });

  it("is looked for at its place, in no list", async () => {
    const provider = sampleProvider(guardedRow);
    const call = { ...createCall(), known: [], sentMs: 0 };
    const own = scriptedCloud(json(ours), json(ours));
    expect(await provider.lookUp(own.context(), call)).toMatchObject({ kind: "done", id: "t-1" });
    expect(own.lines()[0]).toBe("GET /v1/things/thing-one");
    for (const other of [json(foreign), empty(404)]) {
      const cloud = scriptedCloud(other);
      expect(await provider.lookUp(cloud.context(), call)).toEqual({ kind: "gone" });
      expect(cloud.lines()).toEqual(["GET /v1/things/thing-one"]);
    }
    const listed = scriptedCloud(json(ours));
    expect(await provider.lookUp(listed.context(), { ...call, known: ["t-1"] })).toEqual({
      kind: "gone",
    });
  });

  it("without a mark is found by when it was made", async () => {
    const row = { ...guardedRow, find: { by: "place", createdAt: "made.at" } } as const;
    const provider = sampleProvider(row);
    expect(provider.repeats(context, "vultr:Thing")).toMatchObject({
      repeatableMs: 0,
      findable: true,
    });
    const sentMs = Date.parse("2026-01-01T12:00:00Z");
    const call = { ...createCall(), known: [], sentMs };
    const foundAt = async (at: string | undefined) => {
      const made = thing(at === undefined ? {} : { made: { at } });
      const cloud = scriptedCloud(json(made), json(made));
      return provider.lookUp(cloud.context(), call);
    };
    expect(await foundAt("2026-01-01T12:00:05Z")).toMatchObject({ kind: "done", id: "t-1" });
    expect(await foundAt("2026-01-01T11:00:00Z")).toEqual({ kind: "gone" });
    expect(await foundAt(undefined)).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });

  it("whose name a deleted object keeps brings that back, in an account of the tenant's own", async () => {
    const row: Partial<RestType> = { ...guardedRow, id: { known: "{name}" }, update: "PUT" };
    const provider = sampleProvider(row, {
      undelete: (_, { size = null }) => ({
        method: "PUT",
        path: "/v1/things/{id}",
        body: { mode: "recover", size },
      }),
    });
    const answers = () => [
      empty(404),
      json({ code: "exists" }, 409),
      empty(404),
      empty(404),
      empty(404),
      json(thing()),
      json(thing()),
      json(thing()),
    ];
    const call = createCall({ properties: { size: 3 } });
    const own = scriptedCloud(...answers());
    const done = await provider.create(own.context({ ownAccount: true }), call);
    expect(done).toMatchObject({ kind: "done", id: "thing-one" });
    expect(own.requests[5]?.body).toEqual({ mode: "recover", size: 3 });
    const shared = scriptedCloud(...answers());
    expect(await provider.create(shared.context(), call)).toMatchObject({
      code: "already_exists",
    });
    expect(shared.lines().filter((line) => line.startsWith("PUT"))).toHaveLength(1);
  });

  it.for([412, 409])("by header, refused with %i, adopts only its own", async (status) => {
    const provider = sampleProvider(guardedBy("header"));
    const refused = (): Response => json({ code: "exists" }, status);
    const own = scriptedCloud(refused(), json(ours), json(ours));
    expect(await provider.create(own.context(), createCall())).toMatchObject({
      kind: "done",
      id: "t-1",
    });
    const other = scriptedCloud(refused(), json(foreign));
    expect(await provider.create(other.context(), createCall())).toMatchObject({
      code: "already_exists",
      retryable: false,
    });
    const none = scriptedCloud(refused(), empty(404));
    expect(await provider.create(none.context(), createCall())).toMatchObject({
      kind: "failed",
      code: "exists",
      retryable: status === 412,
    });
  });
});

describe("a property that carries the mark", () => {
  it("of a wrong type is refused, not replaced by the mark alone", async () => {
    const cloud = scriptedCloud();
    const properties = { tags: "web" };
    const outcome = await sampleProvider(byTag).create(cloud.context(), createCall({ properties }));
    expect(outcome).toMatchObject({ kind: "failed", code: "reserved_value" });
    expect(cloud.requests).toHaveLength(0);
  });
});

describe("a mark as an entry of a list", () => {
  const entry = { by: "label", property: "Tags", key: "made-by", as: "entry" } as const;
  const row: Partial<RestType> = {
    find: entry,
    update: "PUT",
    envelope: { list: "things" },
  };
  const Tags = [{ Key: "team", Value: "web" }];
  const ours = { Key: "made-by", Value: "token-1" };

  it("is added on create, kept by an update, and removed from outputs", async () => {
    const shown = thing({ Tags: [ours, ...Tags] });
    const cloud = scriptedCloud(json(shown, 201), json(shown), json(shown));
    const made = await sampleProvider(row).create(
      cloud.context(),
      createCall({ properties: { Tags } }),
    );
    expect(cloud.requests[0]?.body).toMatchObject({ Tags: [...Tags, ours] });
    expect(made).toMatchObject({ kind: "done", outputs: { Tags } });
    const change = updateCall({ before: { Tags }, properties: { Tags: [] } });
    await sampleProvider(row).update(cloud.context(), change);
    expect(cloud.requests.at(-1)?.body).toMatchObject({ Tags: [ours] });
  });

  it("has the members that the cloud asks of an entry", () => {
    const find = { ...entry, beside: { PropagateAtLaunch: false } } as const;
    expect(withMarks({ find }, { Tags }, ["token-1"])).toEqual({
      Tags: [...Tags, { ...ours, PropagateAtLaunch: false }],
    });
  });

  it("is found by a look-up, and cannot be set by a template", async () => {
    const others = [
      thing({ id: "t-0", Tags }),
      thing({ id: "t-2", Tags: [{ ...ours, Key: "x" }] }),
    ];
    const mine = thing({ Tags: [ours] });
    const cloud = scriptedCloud(json({ things: [...others, mine] }), json(mine));
    const found = await sampleProvider(row).lookUp(cloud.context(), lookUpCall());
    expect(found).toMatchObject({ kind: "done", id: "t-1" });
    for (const taken of [[ours], { "made-by": "x" }]) {
      const call = createCall({ properties: { Tags: taken } });
      const refused = await sampleProvider(row).create(cloud.context(), call);
      expect(refused).toMatchObject({ kind: "failed", code: "reserved_value" });
    }
  });
});

it("a mark is a UUID where the cloud takes lower case alone", () => {
  const marked = { by: "label", property: "labels", key: "step", as: "uuid" } as const;
  const mark = markOf({ find: marked }, "DEP_01ABC-0-1") ?? "";
  expect(mark).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(markOf({ find: marked }, "DEP_01ABC-0-1")).toBe(mark);
  expect(markOf({ find: marked }, "DEP_01ABC-0-2")).not.toBe(mark);
});
