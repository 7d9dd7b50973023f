/** Clouds that answer a change with an operation, in the shapes of Google's two kinds. */
import { describe, expect, it } from "vitest";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answer } from "#providers/transport.ts";
import { createCall, pollCall, sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import type { OperationState, Poller } from "./definition.ts";
import type { RestType } from "./rest-type.ts";

const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});
const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** An operation `{ kind, name, status, targetLink, error }`, whose name is not the object's. */
const poller: Poller = {
  started: ({ json: body }) => {
    const { kind, name } = map(body);
    return kind === "operation" ? text(name) : undefined;
  },
  objectId: ({ json: body }) => {
    const link = text(map(body)["targetLink"]);
    return link === "" ? undefined : link.slice(link.lastIndexOf("/") + 1);
  },
  path: (operation) => `/v1/operations/${text(operation)}`,
  read: ({ json: body }: Answer): OperationState => {
    const { status, error, response } = map(body);
    const id = text(map(response)["id"]);
    const known = id === "" ? {} : { id };
    if (isJsonMap(error)) {
      const code = text(error["code"]);
      const means = ["exists", "busy", "quota", "gone"].includes(code)
        ? { means: code as FailureMeaning }
        : {};
      return { state: "failed", code, message: "it broke", ...means, ...known };
    }
    return { state: status === "DONE" ? "done" : "running", ...known };
  },
};
const operation = (more: JsonMap = {}) =>
  json({ kind: "operation", id: "9001", name: "op-1", status: "RUNNING", ...more });
const del = { type: "vultr:Thing", id: "t-1", properties: {}, token: "token-1" };
const started = { sinceMs: 1_000_000, operation: "op-1" };
const { id: _, ...withoutId } = pollCall("create", { handle: started });

describe("an operation is not its object", () => {
  const provider = sampleProvider({}, { poller });

  it("has an id of its own, which no object gets", async () => {
    const made = await provider.create(scriptedCloud(operation()).context(), createCall());
    expect(made).toMatchObject({ kind: "pending", handle: started });
    expect(made).not.toHaveProperty("id");
  });

  it("names its object in the answer that starts it", async () => {
    const targetLink = "https://cloud.example/v1/things/t-7";
    const cloud = scriptedCloud(operation({ targetLink }));
    const made = await provider.create(cloud.context(), createCall());
    expect(made).toMatchObject({ kind: "pending", id: "t-7" });
  });

  it("names its object in its result", async () => {
    const cloud = scriptedCloud(
      operation({ status: "DONE", response: { id: "t-7" } }),
      json(thing({ id: "t-7" })),
    );
    const outcome = await provider.poll(cloud.context(), withoutId);
    expect(cloud.lines()).toEqual(["GET /v1/operations/op-1", "GET /v1/things/t-7"]);
    expect(outcome).toMatchObject({ kind: "done", id: "t-7" });
  });

  it("leaves the outcome unknown when nothing names its object", async () => {
    const cloud = scriptedCloud(operation({ status: "DONE" }));
    const outcome = await provider.poll(cloud.context(), withoutId);
    expect(outcome).toMatchObject({ code: "invalid_answer", unknownOutcome: true });
  });
});

describe("the object of a long operation", () => {
  it("has a minute from the operation's end until reads show it", async () => {
    const provider = sampleProvider({}, { poller });
    const handle = { ...started, sinceMs: 0 };
    const ends = scriptedCloud(operation({ status: "DONE", response: { id: "t-7" } }), empty(404));
    const first = await provider.poll(ends.context(), { ...withoutId, handle });
    if (first.kind !== "pending") throw new Error(`It is not waited for: ${first.kind}`);
    expect(first).toMatchObject({ id: "t-7", note: "not visible yet" });
    const again = { ...withoutId, id: "t-7", handle: first.handle };
    const seen = scriptedCloud(json(thing({ id: "t-7" })));
    expect(await provider.poll(seen.context(), again)).toMatchObject({ kind: "done" });
    const late = { ...again, handle: { sinceMs: 0, endedMs: 0 } };
    const missing = await provider.poll(scriptedCloud(empty(404)).context(), late);
    expect(missing).toMatchObject({ kind: "failed", code: "vanished" });
  });
});

describe("an operation that the cloud has forgotten", () => {
  it("before it named its object has the create repeated, or its object looked for", async () => {
    const outcome = await sampleProvider({}, { poller }).poll(
      scriptedCloud(empty(404)).context(),
      withoutId,
    );
    expect(outcome).toMatchObject({
      kind: "failed",
      retryable: true,
      unknownOutcome: true,
      ended: true,
    });
  });

  it("is shown by the object if its id is known", async () => {
    const cloud = scriptedCloud(empty(404), json(thing()));
    const call = pollCall("create", { handle: started });
    const outcome = await sampleProvider({}, { poller }).poll(cloud.context(), call);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("that may not be read ends the create with an unknown outcome", async () => {
    const outcome = await sampleProvider({}, { poller }).poll(
      scriptedCloud(empty(403)).context(),
      withoutId,
    );
    expect(outcome).toMatchObject({ kind: "failed", retryable: false, unknownOutcome: true });
    expect(outcome).not.toHaveProperty("ended");
  });
});

describe.for(["update", "delete"] as const)(
  "the operation of an %s that names another object",
  (verb) => {
    const provider = sampleProvider({}, { poller });
    const call = pollCall(verb, { handle: started });
    const named = (more: JsonMap) =>
      scriptedCloud(operation({ response: { id: "theirs" }, ...more }));

    it("does not make it the object that is managed", async () => {
      const cloud = named({ status: "DONE" });
      const outcome = await provider.poll(cloud.context(), call);
      expect(outcome).toMatchObject({
        kind: "failed",
        code: "invalid_answer",
        unknownOutcome: true,
      });
      expect(outcome).not.toHaveProperty("id");
      expect(cloud.requests).toHaveLength(1);
      expect(await provider.poll(named({}).context(), call)).toMatchObject({ id: "t-1" });
    });
  },
);

describe("a failed operation", () => {
  const provider = sampleProvider({}, { poller });
  const failed = (code: string, response?: JsonMap) =>
    operation({ status: "DONE", error: { code }, ...(response && { response }) });

  it("leaves the id of what it began to make, if it is known", async () => {
    const known = scriptedCloud(failed("broken", { id: "t-7" }));
    expect(await provider.poll(known.context(), withoutId)).toMatchObject({
      kind: "failed",
      id: "t-7",
    });
    const unknown = await provider.poll(scriptedCloud(failed("broken")).context(), withoutId);
    expect(unknown).toMatchObject({ kind: "failed", code: "broken" });
    expect(unknown).not.toHaveProperty("id");
  });

  it("does not give the id of another's object that has the name", async () => {
    const outcome = await sampleProvider({ id: { known: "things/{name}" } }, { poller }).poll(
      scriptedCloud(failed("exists", { id: "theirs" })).context(),
      pollCall("create", { handle: started, id: "things/thing-one" }),
    );
    expect(outcome).toMatchObject({ kind: "failed", means: "exists" });
    expect(outcome).not.toHaveProperty("id");
  });

  it("that meets an object of an earlier attempt adopts it", async () => {
    const row: Partial<RestType> = {
      find: { by: "tag", property: "tags" },
      envelope: { list: "things" },
    };
    const ours = thing({ tags: ["control:token-1"] });
    const cloud = scriptedCloud(failed("exists"), json({ things: [ours] }), json(ours));
    const outcome = await sampleProvider(row, { poller }).poll(cloud.context(), {
      ...withoutId,
      token: "token-1",
    });
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("has the delete sent again once what uses the object is gone", async () => {
    const call = pollCall("delete", { handle: started });
    const outcome = await provider.poll(scriptedCloud(failed("busy")).context(), call);
    expect(outcome).toMatchObject({
      kind: "failed",
      means: "busy",
      retryable: true,
      ended: true,
      unknownOutcome: false,
    });
  });

  it("has a create that made nothing sent again as a new call", async () => {
    const outcome = await provider.poll(scriptedCloud(failed("busy")).context(), withoutId);
    expect(outcome).toMatchObject({ means: "busy", retryable: true, ended: true });
    expect(outcome).not.toHaveProperty("id");
  });

  it("is not repeated for a create that may have made an object", async () => {
    const made = scriptedCloud(failed("busy", { id: "t-7" }));
    const outcome = await provider.poll(made.context(), withoutId);
    expect(outcome).toMatchObject({ means: "busy", retryable: false, id: "t-7" });
    expect(outcome).not.toHaveProperty("ended");
  });

  describe("of a PUT", () => {
    const id = "things/thing-one";
    const placed: Partial<RestType> = {
      paths: { item: "/v1/{+id}" },
      id: { known: "things/{name}" },
      create: { method: "PUT", guard: "read" },
      find: { by: "tag", property: "tags" },
    };
    const left = async (row: Partial<RestType>, ...answers: Response[]) =>
      sampleProvider({ ...placed, ...row }, { poller }).poll(
        scriptedCloud(failed("busy"), ...answers).context(),
        pollCall("create", { handle: started, id, token: "token-1" }),
      );
    const ours = () => json(thing({ id, tags: ["control:token-1"] }));

    it("that made nothing is sent again", async () => {
      const outcome = await left({}, empty(404));
      expect(outcome).toMatchObject({ means: "busy", retryable: true, ended: true });
      expect(outcome).not.toHaveProperty("id");
    });

    it("that left its object can be mended by an update", async () => {
      expect(await left({}, ours())).toMatchObject({ retryable: true, mendable: true, id });
    });

    it.each([
      ["of a type without updates", { update: "none" } as const, ours()],
      ["of somebody else", {}, json(thing({ id }))],
      ["that nobody may read", {}, json({ message: "no" }, 403)],
    ])("is not repeated for an object %s", async (_, row, answer) => {
      const outcome = await left(row, answer);
      expect(outcome).toMatchObject({ means: "busy", retryable: false, id });
      expect(outcome).not.toHaveProperty("mendable");
    });

    it("whose object cannot be read now is polled again", async () => {
      const outcome = await left({}, json({ message: "later" }, 503));
      expect(outcome).toMatchObject({ kind: "pending", id, handle: started });
    });
  });

  it("is of the user where the account has no room", async () => {
    const outcome = await provider.poll(scriptedCloud(failed("quota")).context(), withoutId);
    expect(outcome).toMatchObject({ means: "quota", fault: "user", retryable: false });
  });

  it("that finds no object to delete is looked at again", async () => {
    const cloud = scriptedCloud(failed("gone"), empty(404));
    const call = pollCall("delete", { handle: started });
    const looked = await provider.poll(cloud.context(), call);
    if (looked.kind !== "pending") throw new Error("It is looked at only once");
    const outcome = await provider.poll(cloud.context(), { ...call, handle: looked.handle });
    expect(outcome).toEqual({ kind: "gone" });
  });
});

describe("an id that is known before the call", () => {
  const row: Partial<RestType> = {
    path: "/v1/projects/{project}/things",
    paths: { create: "/v1/projects/{project}/things?thingId={name}", item: "/v1/{+id}" },
    id: { known: "projects/{project}/things/{name}" },
  };
  const at = { config: { project: "p 1" } };
  const knownId = "projects/p 1/things/thing-one";

  it("is the object's from the start, also when the answer is an operation", async () => {
    const cloud = scriptedCloud(operation());
    const outcome = await sampleProvider(row, { poller }).create(cloud.context(at), createCall());
    expect(cloud.lines()).toEqual(["POST /v1/projects/p%201/things?thingId=thing-one"]);
    expect(outcome).toMatchObject({ kind: "pending", id: knownId, handle: started });
  });

  it("needs no body in the answer", async () => {
    const cloud = scriptedCloud(empty(202), empty(404));
    const outcome = await sampleProvider(row).create(cloud.context(at), createCall());
    expect(cloud.lines()[1]).toBe("GET /v1/projects/p%201/things/thing-one");
    expect(outcome).toMatchObject({ kind: "pending", id: knownId, note: "not visible yet" });
  });

  it("counts where the object shows another", async () => {
    const cloud = scriptedCloud(json({ id: "8123", size: 1 }));
    const outcome = await sampleProvider(row).create(cloud.context(at), createCall());
    expect(outcome).toMatchObject({ kind: "done", id: knownId, outputs: { id: "8123" } });
  });

  it("serves when the operation is forgotten", async () => {
    const cloud = scriptedCloud(empty(404), json(thing()));
    const call = pollCall("create", { handle: started, id: knownId });
    const outcome = await sampleProvider(row, { poller }).poll(cloud.context(at), call);
    expect(outcome).toMatchObject({ kind: "done", id: knownId });
  });

  it("is not made of a name that would lead to another object", async () => {
    const cloud = scriptedCloud(operation());
    const call = createCall({ properties: { name: "x/../../p2/things/theirs" } });
    const outcome = await sampleProvider(row, { poller }).create(cloud.context(at), call);
    expect(outcome).not.toHaveProperty("id");
  });
});

describe("the engine's name in paths", () => {
  const row: Partial<RestType> = {
    path: "/v1/things/{name}",
    paths: { item: "/v1/things/{name}/{id}" },
  };
  const unnamed = sampleProvider({ ...row, name: { property: "title" } });

  it("fills `{name}` in every call where no property has that name", async () => {
    const cloud = scriptedCloud(...Array.from({ length: 6 }, () => json(thing())));
    const context = cloud.context({ config: { name: "config" } });
    const named = { type: "vultr:Thing", id: "t-1", name: "thing-one", properties: {} };
    await unnamed.create(context, createCall());
    await unnamed.read(context, named);
    await unnamed.update(context, updateCall());
    await unnamed.delete(context, { ...named, token: "t" });
    await unnamed.poll(context, pollCall("create"));
    expect(cloud.lines()).toEqual([
      "POST /v1/things/thing-one",
      "GET /v1/things/thing-one/t-1",
      "PATCH /v1/things/thing-one/t-1",
      "DELETE /v1/things/thing-one/t-1",
      "GET /v1/things/thing-one/t-1",
      "GET /v1/things/thing-one/t-1",
    ]);
  });

  it("gives way to a property", async () => {
    const cloud = scriptedCloud(json(thing()));
    await unnamed.create(cloud.context(), createCall({ properties: { name: "own" } }));
    expect(cloud.lines()).toEqual(["POST /v1/things/own"]);
  });
});

it("deletes what has a path for an id by that path", async () => {
  const cloud = scriptedCloud(empty(), empty(404));
  const row = { paths: { item: "/v1/{+id}?api-version=1" } };
  const provider = sampleProvider({ ...row, id: { known: "/{+scope}/groups/{name}" } });
  await provider.delete(cloud.context(), { ...del, id: "/subscriptions/s/groups/a b" });
  const path = "/v1/subscriptions/s/groups/a%20b?api-version=1";
  expect(cloud.lines()).toEqual([`DELETE ${path}`, `GET ${path}`]);
  const refused = await provider.delete(cloud.context(), { ...del, id: "/subscriptions/../x" });
  expect(refused).toMatchObject({ kind: "failed", code: "invalid_path_value" });
  expect(cloud.requests).toHaveLength(2);
});

it.for([
  [{ id: { known: "/{+scope}/groups/{name}" } }, "subscriptions/s/groups/a"],
  [{ id: { known: "projects/{project}/things/{name}" } }, "/projects/p/things/a"],
  [{}, "/things/a"],
] as const)("does not take a second id of the same object: %j, %s", async ([row, id]) => {
  const cloud = scriptedCloud(json(thing()));
  const provider = sampleProvider({ ...row, paths: { item: "/v1/{+id}" } });
  const call = { type: "vultr:Thing", id, properties: {} };
  expect(await provider.read(cloud.context(), call)).toMatchObject({
    kind: "failed",
    code: "invalid_path_value",
  });
  expect(cloud.requests).toEqual([]);
});
