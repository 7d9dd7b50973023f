import { describe, expect, it } from "vitest";
import { readJson } from "#platform/json.ts";
import type { Outcome, PollCall } from "#providers/provider.ts";
import { CloudControl, cloudControl } from "#test/support/cloud-control.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import {
  createCall,
  lookUpCall,
  sampleProvider,
  updateCall,
} from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud } from "#test/support/scripted-cloud.ts";
import type { Dialect } from "./definition.ts";
import type { RestType } from "./rest-type.ts";

const row: Partial<RestType> = {
  path: "/",
  update: "DIALECT",
  id: { at: "name" },
  create: { token: { dialect: true } },
  find: { by: "name" },
};
const provider = sampleProvider(row, cloudControl);
const type = "vultr:Thing";
const named = { type, id: "thing-one", properties: { size: 1 } };
const shown = { id: "thing-one", name: "thing-one", size: 1 };

/** Polls until the end, with what the engine keeps between polls. */
async function pollToEnd(
  cloud: CloudControl,
  verb: PollCall["verb"],
  first: Outcome,
): Promise<{ outcomes: Outcome[]; last: Outcome }> {
  const outcomes = [first];
  let last = first;
  let id: string | undefined;
  for (let turn = 0; last.kind === "pending" && turn < 10; turn += 1) {
    id = last.id ?? id;
    last = await provider.poll(cloud.context, {
      type,
      verb,
      name: "thing-one",
      properties: { size: 1 },
      handle: last.handle,
      token: "token-1",
      ...(id !== undefined && { id }),
    });
    outcomes.push(last);
  }
  return { outcomes, last };
}

const create = async (cloud: CloudControl, token = "token-1") =>
  pollToEnd(cloud, "create", await provider.create(cloud.context, createCall({ token })));

describe("a cloud with one address and its own envelope", () => {
  it("creates, reads, updates and deletes", async () => {
    const cloud = new CloudControl();
    const made = await create(cloud);
    expect(made.last).toEqual({ kind: "done", id: "thing-one", outputs: shown });
    expect(cloud.requests[0]).toEqual({
      target: "CreateResource",
      body: {
        TypeName: type,
        DesiredState: '{"size":1,"name":"thing-one"}',
        ClientToken: "token-1",
      },
    });
    expect(await provider.read(cloud.context, named)).toMatchObject({
      kind: "done",
      outputs: shown,
    });

    const call = updateCall({ id: "thing-one", token: "token-2" });
    const changed = await pollToEnd(cloud, "update", await provider.update(cloud.context, call));
    expect(changed.last).toMatchObject({ kind: "done", outputs: { size: 2 } });

    const del = { ...named, token: "token-3" };
    const deleted = await pollToEnd(cloud, "delete", await provider.delete(cloud.context, del));
    expect(deleted.last).toMatchObject({ kind: "gone" });
    expect(cloud.objects.size).toBe(0);
    const targets = new Set(cloud.requests.map(({ target }) => target));
    expect([...targets].sort()).toEqual([
      "CreateResource",
      "DeleteResource",
      "GetResource",
      "GetResourceRequestStatus",
      "UpdateResource",
    ]);
  });

  it("gives the id of a new object as soon as it appears", async () => {
    const { outcomes } = await create(new CloudControl());
    expect(outcomes.map((one) => (one.kind === "gone" ? undefined : one.id))).toEqual([
      undefined,
      "thing-one",
      "thing-one",
    ]);
  });

  it("makes one object when a create is repeated with its token", async () => {
    const cloud = new CloudControl();
    await provider.create(cloud.context, createCall());
    expect((await create(cloud)).last).toMatchObject({ kind: "done", id: "thing-one" });
    expect(cloud.objects.size).toBe(1);
  });

  it("says that an object is gone by a 400", async () => {
    const cloud = new CloudControl();
    const gone = { kind: "gone" };
    expect(await provider.read(cloud.context, named)).toEqual(gone);
    const deleted = await provider.delete(cloud.context, { ...named, token: "t" });
    expect((await pollToEnd(cloud, "delete", deleted)).last).toEqual(gone);
    const update = updateCall({ id: "thing-one" });
    expect(await provider.update(cloud.context, update)).toEqual(gone);
  });

  it("adopts an object of the engine's name that exists, and nobody else's", async () => {
    const cloud = new CloudControl();
    await create(cloud);
    expect((await create(cloud, "token-9")).last).toMatchObject({ kind: "done", id: "thing-one" });
    const call = createCall({ properties: { name: "web" }, token: "token-10" });
    cloud.objects.set("web", { id: "web", properties: { name: "web" } });
    let last = await provider.create(cloud.context, call);
    for (let turn = 0; last.kind === "pending" && turn < 5; turn += 1)
      last = await provider.poll(cloud.context, {
        ...call,
        verb: "create",
        handle: last.handle,
        ...(last.id !== undefined && { id: last.id }),
      });
    expect(last).toMatchObject({ kind: "failed", code: "already_exists", means: "exists" });
    expect(last).not.toHaveProperty("id");
  });

  it("leaves the id of an object whose create failed, if the cloud says it", async () => {
    for (const keepsId of [true, false]) {
      const cloud = new CloudControl();
      cloud.failNext = { code: "GeneralServiceException", keepsId };
      const { last } = await create(cloud);
      expect(last).toMatchObject({ kind: "failed", code: "GeneralServiceException" });
      expect(last.kind === "failed" && last.id).toBe(keepsId ? "thing-one" : undefined);
    }
  });

  it("has a delete sent again that met a conflict", async () => {
    const cloud = new CloudControl();
    await create(cloud);
    cloud.failNext = { code: "ResourceConflict", keepsId: true };
    const del = { ...named, token: "token-3" };
    const { last } = await pollToEnd(cloud, "delete", await provider.delete(cloud.context, del));
    expect(last).toMatchObject({ kind: "failed", means: "busy", retryable: true, ended: true });
    expect(cloud.objects.size).toBe(1);
  });
});

describe("an update in a dialect", () => {
  it("is the JSON patch of the object as it is, and nothing where nothing is left to do", async () => {
    const cloud = new CloudControl();
    cloud.objects.set("thing-one", { id: "thing-one", properties: { ...shown, extra: 1 } });
    const call = updateCall({
      id: "thing-one",
      before: { size: 1, extra: 1 },
      properties: { size: 2 },
    });
    const first = await pollToEnd(cloud, "update", await provider.update(cloud.context, call));
    expect(first.last).toMatchObject({ kind: "done", outputs: { size: 2 } });
    const patches = () => cloud.requests.filter(({ target }) => target === "UpdateResource");
    expect(readJson(textOf(patches()[0]?.body["PatchDocument"]))).toEqual([
      { op: "remove", path: "/extra" },
      { op: "replace", path: "/size", value: 2 },
    ]);
    expect(await provider.update(cloud.context, call)).toMatchObject({ kind: "done" });
    expect(patches()).toHaveLength(1);
  });
});

describe("the object at the place of a failed create", () => {
  const marking = sampleProvider(
    { ...row, find: { by: "label", property: "tags", key: "made-by" } },
    {
      ...cloudControl,
      onlyId: (_, { name }) => (typeof name === "string" ? name : undefined),
    },
  );
  const call = createCall();
  const poll = (cloud: CloudControl, handle: PollCall["handle"]) =>
    marking.poll(cloud.context, { ...call, verb: "create", handle });

  it.for([
    ["token-1", "thing-one"],
    ["token-of-another", undefined],
  ] as const)("with the mark %s counts as %s", async ([mark, id]) => {
    const cloud = new CloudControl();
    cloud.failNext = { code: "GeneralServiceException", keepsId: true };
    let last = await marking.create(cloud.context, call);
    cloud.objects.set("thing-one", { id: "thing-one", properties: { tags: { "made-by": mark } } });
    for (let turn = 0; last.kind === "pending" && turn < 5; turn += 1)
      last = await poll(cloud, last.handle);
    expect(last).toMatchObject({ kind: "failed", code: "GeneralServiceException" });
    expect(last.kind === "failed" && last.id).toBe(id);
  });
});

describe("a look-up in a dialect", () => {
  const others = (cloud: CloudControl, count: number) => {
    for (let at = 0; at < count; at += 1)
      cloud.objects.set(`o-${at}`, { id: `o-${at}`, properties: { name: `o-${at}` } });
  };

  it("reads all pages", async () => {
    const cloud = new CloudControl();
    others(cloud, 3);
    expect(await provider.lookUp(cloud.context, lookUpCall())).toEqual({ kind: "gone" });
    await create(cloud);
    const found = await provider.lookUp(cloud.context, lookUpCall());
    expect(found).toMatchObject({ kind: "done", id: "thing-one" });
  });

  it("reads what the list shows by its id alone, up to a limit", async () => {
    const cloud = new CloudControl();
    cloud.hidesProperties = true;
    await create(cloud);
    others(cloud, 10);
    const found = await provider.lookUp(cloud.context, lookUpCall());
    expect(found).toMatchObject({ kind: "done", id: "thing-one" });
    const many = new CloudControl();
    many.hidesProperties = true;
    others(many, 30);
    const failed = await provider.lookUp(many.context, lookUpCall());
    expect(failed).toMatchObject({ kind: "failed", code: "cannot_tell" });
  });
});

describe("a fault of a cloud whose calls are all POST", () => {
  it("leaves the outcome of a change unknown, and never that of a read", async () => {
    for (const answer of [() => empty(503), () => new Error("reset")]) {
      const read = await provider.read(scriptedCloud(answer()).context(), named);
      expect(read).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: false });
      const made = await provider.create(scriptedCloud(answer()).context(), createCall());
      expect(made).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
      const del = { ...named, token: "t" };
      const deleted = await provider.delete(scriptedCloud(answer()).context(), del);
      expect(deleted).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
    }
  });
});

it("an update that answers with another object does not make that the managed one", async () => {
  const dialect: Dialect = {
    request: () => ({ method: "POST", path: "/" }),
    read: () => ({ kind: "object", id: "theirs", object: { name: "theirs" } }),
  };
  const cloud = scriptedCloud(json({}), json({}));
  const odd = sampleProvider({ ...row, update: "PUT" }, { dialect });
  expect(await odd.update(cloud.context(), updateCall())).toMatchObject({
    kind: "failed",
    code: "invalid_answer",
    unknownOutcome: true,
  });
  const own = await odd.update(cloud.context(), updateCall({ id: "theirs" }));
  expect(own).toMatchObject({ kind: "done", id: "theirs" });
});
