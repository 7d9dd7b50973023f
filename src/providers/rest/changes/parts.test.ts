import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Outcome } from "#providers/provider.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { pollCall, sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { nextPart } from "./parts.ts";

const resize = {
  properties: ["size", "nodes"],
  method: "PUT",
  path: "/v1/things/{id}/resize",
} as const;
const firewall = {
  properties: ["rules"],
  method: "PUT",
  path: "/v1/things/{id}/firewall",
  body: { allow: "{rules}", note: "for {name}" },
} as const;
const row: Partial<RestType> = { parts: [resize, firewall] };

/** What an update sends besides reads; the object is as `shown`. */
async function changesOf(
  row: Partial<RestType>,
  before: JsonMap,
  properties: JsonMap,
  {
    shown = before,
    unsure,
    id = "t-1",
    definition = {},
  }: {
    shown?: JsonMap;
    unsure?: true;
    id?: string;
    definition?: Partial<RestProviderDefinition>;
  } = {},
) {
  const answers = Array.from({ length: 12 }, () => json(thing({ id, ...shown })));
  const cloud = scriptedCloud(...answers);
  const call = { ...updateCall({ id, before, properties }), ...(unsure && { unsure }) };
  await sampleProvider({ update: "none", ...row }, definition).update(cloud.context(), call);
  return cloud.requests
    .filter(({ method }) => method !== "GET")
    .map(({ path, body }) => [path.split("/").slice(3).join("/"), body]);
}

describe("a property of a part that is no longer set", () => {
  const assign = {
    properties: ["owner"],
    method: "POST",
    path: "/v1/things/{id}/actions",
    body: { type: "assign", owner: "{owner}" },
    absent: { type: "unassign" },
  } as const;

  it("is unset as the part says, unless the object shows none", async () => {
    const parts = [assign];
    const unset = [["t-1/actions", { type: "unassign" }]];
    expect(await changesOf({ parts }, { owner: 1 }, {})).toEqual(unset);
    expect(await changesOf({ parts }, { owner: 1 }, {}, { shown: {} })).toEqual([]);
    expect(
      await changesOf({ parts, writeOnly: ["owner"] }, { owner: 1 }, {}, { shown: {} }),
    ).toEqual(unset);
    expect(await changesOf({ parts }, { owner: 1 }, {}, { unsure: true })).toEqual(unset);
  });

  it("stays where nothing unsets it, and is left out beside another", async () => {
    const parts = [{ ...resize, absent: "keep" }] as const;
    expect(await changesOf({ parts }, { size: 1, nodes: 2 }, { size: 1 })).toEqual([]);
    expect(await changesOf({ parts }, { size: 1, nodes: 2 }, { size: 3 })).toEqual([
      ["t-1/resize", { size: 3 }],
    ]);
    expect(await changesOf({ parts }, { size: 1 }, {}, { unsure: true })).toEqual([]);
  });
});

describe("a flag with a call for each value", () => {
  const flag = (when: boolean, type: string) =>
    ({
      properties: ["ipv6"],
      when,
      shownIn: { list: "features", item: "ipv6" },
      method: "POST",
      path: "/v1/things/{id}/actions",
      body: { type, of: "{#id}" },
    }) as const;
  const parts = [flag(true, "enable"), flag(false, "disable")];

  it("is set and unset, once", async () => {
    const call = (type: string) => [["7/actions", { type, of: 7 }]];
    const on = { features: ["ipv6"] };
    const off = { features: [] };
    const flagged = (before: JsonMap, after: JsonMap, more: { shown: JsonMap; unsure?: true }) =>
      changesOf({ parts }, before, after, { ...more, id: "7" });
    expect(await flagged({}, { ipv6: true }, { shown: off })).toEqual(call("enable"));
    expect(await flagged({ ipv6: true }, {}, { shown: on })).toEqual(call("disable"));
    expect(await flagged({ ipv6: true }, { ipv6: false }, { shown: on })).toEqual(call("disable"));
    expect(await flagged({}, { ipv6: true }, { shown: on })).toEqual([]);
    expect(await flagged({}, { ipv6: false }, { shown: off })).toEqual([]);
    // Somebody else's, of which the template says nothing.
    expect(await flagged({}, {}, { shown: on, unsure: true })).toEqual([]);
  });
});

describe("an item with a question before it", () => {
  const beforeItem: RestProviderDefinition["beforeItem"] = ({ item }) => ({
    request: { method: "POST", path: "/v1/tags", body: { name: item } },
    told: (json) => ({ item: valueAt(json, "tag.name") ?? item }),
  });
  const parts = [
    { properties: ["tags"], each: "added", method: "POST", path: "/v1/tags/{item}/things" },
  ] as const;
  const row: Partial<RestType> = {
    update: "none",
    parts,
    compare: { caseInsensitive: ["tags[*]"] },
  };
  const add = (shown: string[], tags: string[], answer: Json) => {
    const cloud = scriptedCloud(
      json(thing({ tags: shown })),
      json(answer),
      empty(),
      json(thing({ tags: ["prod"] })),
      json(thing({ tags: ["prod"] })),
    );
    const call = updateCall({ before: { tags: [] }, properties: { tags } });
    return { cloud, outcome: sampleProvider(row, { beforeItem }).update(cloud.context(), call) };
  };

  it("is called what that call's answer calls it", async () => {
    const { cloud, outcome } = add([], ["Prod"], { tag: { name: "prod" } });
    expect(await outcome).toMatchObject({ kind: "done" });
    expect(cloud.requests[1]).toMatchObject({ path: "/v1/tags", body: { name: "Prod" } });
    expect(cloud.lines()[2]).toBe("POST /v1/tags/prod/things");
  });

  it("keeps its name where the answer has none, and is none where the object has it", async () => {
    const { cloud, outcome } = add([], ["Prod"], {});
    await outcome;
    expect(cloud.lines()[2]).toBe("POST /v1/tags/Prod/things");
    const there = add(["prod"], ["Prod"], {});
    await there.outcome;
    expect(there.cloud.lines().filter((line) => line.startsWith("POST"))).toEqual([]);
  });
});

describe("parts of an update", () => {
  it("are calls of their own, in order, before the rest", async () => {
    const before = { size: 1, nodes: 1, rules: ["a"], title: "x" };
    const properties = { size: 2, nodes: 1, rules: ["b"], title: "y" };
    const cloud = scriptedCloud(
      json(thing(before)),
      empty(),
      json(thing({ ...before, size: 2 })),
      empty(),
      json(thing({ ...before, size: 2, rules: ["b"] })),
      json(thing(properties)),
    );
    const call = updateCall({ before, properties });
    const outcome = await sampleProvider(row).update(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "done", outputs: properties });
    expect(cloud.requests.filter(({ method }) => method !== "GET")).toMatchObject([
      { method: "PUT", path: "/v1/things/t-1/resize", body: { size: 2, nodes: 1 } },
      {
        method: "PUT",
        path: "/v1/things/t-1/firewall",
        body: { allow: ["b"], note: "for thing-one" },
      },
      { method: "PATCH", path: "/v1/things/t-1", body: { title: "y" } },
    ]);
  });

  it.for(["PATCH", "MERGE", "PUT"] as const)(
    "leave no empty body behind with %s",
    async (update) => {
      const shown = json(thing({ size: 2 }));
      const cloud = scriptedCloud(
        json(thing()),
        empty(),
        shown,
        json(thing({ size: 2 })),
        json(thing({ size: 2 })),
      );
      const outcome = await sampleProvider({ ...row, update }).update(
        cloud.context(),
        updateCall(),
      );
      expect(outcome).toMatchObject({ kind: "done", outputs: { size: 2 } });
      const changes = cloud.lines().filter((line) => !line.startsWith("GET"));
      expect(changes).toEqual(["PUT /v1/things/t-1/resize"]);
    },
  );

  it("that are done already are not called again by a repetition", async () => {
    const before = { size: 1, rules: ["a"] };
    const properties = { size: 2, rules: ["b"] };
    const cloud = scriptedCloud(
      json(thing({ size: 2, rules: ["a"] })),
      empty(),
      json(thing(properties)),
      json(thing(properties)),
    );
    const call = updateCall({ before, properties });
    expect(await sampleProvider(row).update(cloud.context(), call)).toMatchObject({ kind: "done" });
    expect(cloud.lines()).toContain("PUT /v1/things/t-1/firewall");
    expect(cloud.lines()).not.toContain("PUT /v1/things/t-1/resize");
  });

  it("are compared with the object where an earlier update may have been applied", async () => {
    // The earlier update made size 3; the template says 1 again.
    const call = updateCall({ before: { size: 1 }, properties: { size: 1 }, unsure: true });
    const cloud = scriptedCloud(json(thing({ size: 3 })), empty(), json(thing()), json(thing()));
    await sampleProvider(row).update(cloud.context(), call);
    expect(cloud.requests[1]).toMatchObject({ path: "/v1/things/t-1/resize", body: { size: 1 } });
  });

  it("are compared where the object shows the property", async () => {
    const shownAt = { size: "plan.slug" };
    const cloud = scriptedCloud(json({ id: "t-1", plan: { slug: 2 } }), json(thing()));
    await sampleProvider({ ...row, compare: { at: shownAt } }).update(
      cloud.context(),
      updateCall(),
    );
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1", "GET /v1/things/t-1"]);
  });

  it("send a list that is gone as empty, and leave out what was never set", async () => {
    const parts = [{ ...firewall, body: { allow: "{rules}", deny: "{others}" } }];
    const cloud = scriptedCloud(
      json(thing({ rules: ["a"] })),
      empty(),
      json(thing({ rules: [] })),
      json(thing()),
    );
    const call = updateCall({ before: { rules: ["a"] }, properties: {} });
    await sampleProvider({ parts }).update(cloud.context(), call);
    expect(cloud.requests[1]?.body).toEqual({ allow: [] });
  });

  it("replace the object where they do not reach and there is no other update", async () => {
    const only: Partial<RestType> = { ...row, update: "none" };
    const cloud = scriptedCloud(
      json(thing()),
      empty(),
      json(thing({ size: 2 })),
      json(thing({ size: 2 })),
    );
    expect(await sampleProvider(only).update(cloud.context(), updateCall())).toMatchObject({
      kind: "done",
    });
    const other = updateCall({ properties: { size: 2, title: "x" } });
    expect(await sampleProvider(only).update(scriptedCloud().context(), other)).toMatchObject({
      code: "not_updatable",
    });
    const described = { size: { description: "" }, title: { description: "" } };
    const facts = sampleProvider({ ...only, takes: { properties: described } }).facts(
      "vultr:Thing",
    );
    expect(facts?.immutable).toEqual(["title"]);
  });

  it("fail the update, which is gone only if the object is", async () => {
    const refused = scriptedCloud(
      json(thing()),
      json({ code: "no_such_size" }, 404),
      json(thing()),
    );
    expect(await sampleProvider(row).update(refused.context(), updateCall())).toMatchObject({
      kind: "failed",
      code: "no_such_size",
    });
    const gone = scriptedCloud(json(thing()), empty(404), empty(404));
    expect(await sampleProvider(row).update(gone.context(), updateCall())).toEqual({
      kind: "gone",
    });
    const before = scriptedCloud(empty(404));
    expect(await sampleProvider(row).update(before.context(), updateCall())).toEqual({
      kind: "gone",
    });
  });
});

describe("parts for each item", () => {
  const parts: RestType["parts"] = [
    {
      properties: ["members"],
      method: "POST",
      path: "/v1/things/{id}/members",
      body: { id: "{item}" },
      each: "added",
    },
    {
      properties: ["members"],
      method: "DELETE",
      path: "/v1/things/{id}/members/{item}",
      each: "removed",
    },
  ];
  const call = updateCall({
    before: { members: [1, 2, 3] },
    properties: { members: [3, 4, 5] },
  });

  /** A cloud that keeps members; `lost`: the answers of these calls are lost after their effect. */
  function memberCloud(start: number[], lost: number[] = []) {
    const members = new Set(start);
    const changes: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname } = new URL(request.url);
      if (request.method === "GET" || request.method === "PATCH")
        return json(thing({ members: [...members] }));
      const body =
        request.method === "POST" ? ((await request.json()) as { id: number }) : undefined;
      const member = body?.id ?? Number(pathname.split("/").at(-1));
      changes.push(`${request.method} ${member}`);
      if (request.method === "DELETE" && !members.has(member)) return empty(404);
      if (request.method === "DELETE") members.delete(member);
      else members.add(member);
      if (lost.includes(changes.length)) throw new Error("reset");
      return empty();
    };
    return { members, changes, fetch };
  }

  it("are made for what was added and what was removed", async () => {
    const cloud = memberCloud([1, 2, 3]);
    const context = scriptedCloud().context({ fetch: cloud.fetch });
    expect(await sampleProvider({ parts }).update(context, call)).toMatchObject({ kind: "done" });
    expect(cloud.changes).toEqual(["POST 4", "POST 5", "DELETE 1", "DELETE 2"]);
  });

  it.for([1, 2, 3, 4])("are each made once when the answer of call %i is lost", async (lost) => {
    const cloud = memberCloud([1, 2, 3], [lost]);
    const context = scriptedCloud().context({ fetch: cloud.fetch });
    const provider = sampleProvider({ parts });
    const first = await provider.update(context, call);
    expect(first).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
    expect(await provider.update(context, call)).toMatchObject({ kind: "done" });
    expect(cloud.changes).toEqual(["POST 4", "POST 5", "DELETE 1", "DELETE 2"]);
    expect([...cloud.members]).toEqual([3, 4, 5]);
  });

  it("leave alone what somebody else added", async () => {
    const cloud = memberCloud([1, 2, 3, 9]);
    const context = scriptedCloud().context({ fetch: cloud.fetch });
    await sampleProvider({ parts }).update(context, { ...call, unsure: true });
    expect(cloud.members).toEqual(new Set([3, 4, 5, 9]));
  });

  it("succeed when what they remove is gone already", async () => {
    const cloud = scriptedCloud(json(thing()), empty(404), json(thing()), json(thing()));
    const gone = updateCall({ before: { members: [1] }, properties: { members: [] } });
    expect(await sampleProvider({ parts }).update(cloud.context(), gone)).toMatchObject({
      kind: "done",
    });
  });
});

describe("parts that take time", () => {
  const poller: RestProviderDefinition["poller"] = {
    started: ({ json: answer }) => (answer as JsonMap | undefined)?.["operation"],
    path: (operation) => `/v1/operations/${JSON.stringify(operation)}`,
    read: ({ json: answer }) => ({
      state: (answer as JsonMap)["done"] === true ? "done" : "running",
    }),
  };
  const before: JsonMap = { size: 1, rules: ["a"], title: "x" };
  const properties: JsonMap = { size: 2, rules: ["b"], title: "y" };
  const call = updateCall({ before, properties });
  const stored = (outcome: Outcome): Json =>
    outcome.kind === "pending" ? (JSON.parse(JSON.stringify(outcome.handle)) as Json) : null;

  it("are waited for before the next, and are not made twice", async () => {
    const provider = sampleProvider(row, { poller });
    const first = scriptedCloud(json(thing(before)), json({ operation: "op-1" }, 202));
    const started = await provider.update(first.context(), call);
    expect(started).toMatchObject({ kind: "pending", id: "t-1" });

    // The object does not show the new size yet.
    const second = scriptedCloud(
      json({ done: true }),
      json(thing(before)),
      json(thing(before)),
      json({ operation: "op-2" }, 202),
    );
    const poll = (handle: Json) =>
      pollCall("update", { properties, handle, update: { before: call.before } });
    const continued = await provider.poll(second.context(), poll(stored(started)));
    expect(continued).toMatchObject({ kind: "pending", id: "t-1" });
    expect(second.lines().at(-1)).toBe("PUT /v1/things/t-1/firewall");

    const third = scriptedCloud(
      json({ done: true }),
      json(thing({ ...before, ...properties, title: "x" })),
      json(thing({ ...before, ...properties, title: "x" })),
      json(thing(properties)),
    );
    const ended = await provider.poll(third.context(), poll(stored(continued)));
    expect(third.requests.at(-1)).toMatchObject({ method: "PATCH", body: { title: "y" } });
    expect(ended).toMatchObject({ kind: "done", outputs: properties });
  });

  it("end when the object is usable again", async () => {
    const state = { path: "state", ready: ["on"] };
    const provider = sampleProvider({ ...row, state });
    const on = thing({ ...before, state: "on" });
    const first = scriptedCloud(json(on), empty(), json({ ...on, size: 2, state: "resizing" }));
    const started = await provider.update(first.context(), call);
    expect(started).toMatchObject({ kind: "pending", handle: { partsDone: { part: 1, item: 0 } } });
    const still = scriptedCloud(json({ ...on, state: "resizing" }));
    const handle = stored(started);
    const poll = pollCall("update", { properties, handle, update: { before } });
    const waiting = await provider.poll(still.context(), poll);
    expect(waiting).toMatchObject({ kind: "pending", handle: { partsDone: { part: 1, item: 0 } } });
    expect(still.requests).toHaveLength(1);
  });
});

describe("an item that shows itself what it is attached to", () => {
  const disks = {
    properties: ["disks"],
    method: "POST",
    itemAt: "id",
  } as const;
  const beforeItem: RestProviderDefinition["beforeItem"] = ({ part }, id) => ({
    request: { method: "GET", path: "/v1/disks/{item}" },
    told: (json) => {
      const isAttached = valueAt(json, "attachment.id") === id;
      return isAttached === (part.each === "removed") ? "due" : "done";
    },
    ...(part.each === "removed" && { gone: "done" }),
  });
  const row: Partial<RestType> = {
    update: "none",
    writeOnly: ["disks"],
    parts: [
      { ...disks, each: "removed", path: "/v1/disks/{item}/detach" },
      { ...disks, each: "added", path: "/v1/disks/{item}/attach/{id}" },
    ],
  };
  const call = updateCall({
    before: { disks: [{ id: "d-1" }] },
    properties: { disks: [{ id: "d-2" }] },
  });
  const on = (id?: string) => json({ id: "d", ...(id && { attachment: { id } }) });
  const posts = (cloud: ReturnType<typeof scriptedCloud>) =>
    cloud.lines().filter((line) => line.startsWith("POST"));

  it("is detached and attached by its id", async () => {
    const answers = [json(thing()), on("t-1"), empty(), json(thing()), on(), empty()];
    const cloud = scriptedCloud(...answers, json(thing()), json(thing()));
    expect(await sampleProvider(row, { beforeItem }).update(cloud.context(), call)).toMatchObject({
      kind: "done",
    });
    expect(posts(cloud)).toEqual(["POST /v1/disks/d-1/detach", "POST /v1/disks/d-2/attach/t-1"]);
  });

  it("is left alone where an earlier call did it, or it is another's or gone", async () => {
    for (const first of [on("t-9"), on(), json({ error: "none" }, 404)]) {
      const cloud = scriptedCloud(json(thing()), first, on("t-1"), json(thing()));
      expect(await sampleProvider(row, { beforeItem }).update(cloud.context(), call)).toMatchObject(
        {
          kind: "done",
        },
      );
      expect(posts(cloud)).toEqual([]);
    }
  });

  it("is not taken for attached where the cloud says that it is: it would be to another", async () => {
    const readError = () =>
      ({ code: "taken", message: "already attached", means: "exists" }) as const;
    const cloud = scriptedCloud(json(thing()), on(), on("t-9"), json({}, 409));
    const outcome = await sampleProvider(row, { beforeItem, readError }).update(
      cloud.context(),
      call,
    );
    expect(outcome).toMatchObject({ kind: "failed", code: "taken" });
  });

  it("is not attached where nothing can be read of it", async () => {
    const cloud = scriptedCloud(json(thing()), on(), json({ error: "none" }, 404));
    expect(await sampleProvider(row, { beforeItem }).update(cloud.context(), call)).toMatchObject({
      kind: "failed",
    });
    expect(posts(cloud)).toEqual([]);
  });
});

describe("a part whose body is a list", () => {
  it("sends the list itself", async () => {
    const vars = [{ key: "A", value: "1" }];
    const parts = [
      { properties: ["vars"], method: "PUT", path: "/v1/things/{id}/vars", body: "{vars}" },
    ] as const;
    expect(await changesOf({ parts, writeOnly: ["vars"] }, {}, { vars })).toEqual([
      ["t-1/vars", vars],
    ]);
    expect(await changesOf({ parts, writeOnly: ["vars"] }, { vars }, {})).toEqual([
      ["t-1/vars", []],
    ]);
  });
});

describe("items of a list that are told apart by a key", () => {
  const path = "/v1/things/{id}/vars/{key}";
  const parts: RestType["parts"] = [
    {
      properties: ["vars"],
      each: "added",
      key: "key",
      method: "PUT",
      path,
      body: { value: "{item.value}" },
    },
    { properties: ["vars"], each: "removed", key: "key", method: "DELETE", path },
  ];
  const one = (key: string, value: string): JsonMap => ({ key, value });

  it("are changed by their key, and removed only if none has the key any more", async () => {
    const before = { vars: [one("A", "1"), one("B", "1"), one("C", "1")] };
    const after = { vars: [one("A", "1"), one("B", "2"), one("D", "1")] };
    expect(await changesOf({ parts }, before, after)).toEqual([
      ["t-1/vars/B", { value: "2" }],
      ["t-1/vars/D", { value: "1" }],
      ["t-1/vars/C", undefined],
    ]);
  });

  it("are left alone where the object shows them so", async () => {
    const after = { vars: [one("B", "2")] };
    const shown = { vars: [one("B", "2")] };
    expect(await changesOf({ parts }, { vars: [one("A", "1")] }, after, { shown })).toEqual([]);
  });
});

describe("the call that puts an update into effect", () => {
  const effectOf: RestProviderDefinition["effectOf"] = () => ({
    method: "POST",
    path: "/v1/things/{id}/deploys",
    body: {},
  });
  const state = { path: "status", ready: ["live"], fail: ["failed"], mendable: true } as const;
  const parts = [resize];

  it("comes after every part, whatever state the object was in", async () => {
    const shown = (status: string) => json(thing({ size: 1, status }));
    const cloud = scriptedCloud(shown("failed"), json({}), shown("failed"), json({}), shown("new"));
    const provider = sampleProvider({ update: "none", parts, state }, { effectOf });
    const outcome = await provider.update(cloud.context(), updateCall());
    expect(cloud.lines().filter((line) => !line.startsWith("GET"))).toEqual([
      "PUT /v1/things/t-1/resize",
      "POST /v1/things/t-1/deploys",
    ]);
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
    const later = scriptedCloud(shown("live"));
    const handle = outcome.kind === "pending" ? outcome.handle : null;
    const polled = await provider.poll(later.context(), pollCall("update", { handle }));
    expect(polled).toMatchObject({ kind: "done" });
    expect(later.requests).toHaveLength(1);
  });

  it("is made by a repetition that finds every part done", async () => {
    const done = { shown: { size: 2 }, definition: { effectOf } };
    expect(await changesOf({ parts }, { size: 1 }, { size: 2 }, done)).toEqual([
      ["t-1/deploys", {}],
    ]);
  });
});

it("a part carries the fingerprint that the object shows by then", () => {
  const labelled: RestType = {
    path: "/v1/things",
    update: "none",
    parts: [
      {
        properties: ["labels"],
        method: "POST",
        path: "/v1/things/{id}/setLabels",
        carried: { labelFingerprint: "prints.labels", absent: "no.such" },
      },
    ],
  };
  const change = { before: { labels: { a: "b" } }, after: { labels: { a: "c" } }, unsure: false };
  const part = nextPart(labelled, change, { labels: { a: "b" }, prints: { labels: "abc=" } });
  expect(part?.body).toEqual({ labels: { a: "c" }, labelFingerprint: "abc=" });
});
