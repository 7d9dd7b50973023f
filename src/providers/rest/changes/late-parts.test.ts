import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { Poller } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import {
  createCall,
  lookUpCall,
  pollCall,
  sampleProvider,
  updateCall,
} from "#test/support/sample-provider.ts";
import {
  empty,
  json,
  type ScriptedAnswer,
  scriptedCloud,
  thing,
} from "#test/support/scripted-cloud.ts";

const parts = [
  {
    properties: ["owner"],
    each: "removed",
    beforeDelete: true,
    method: "POST",
    path: "/v1/things/{id}/detach",
  },
  {
    properties: ["owner"],
    each: "added",
    afterCreate: true,
    method: "POST",
    path: "/v1/things/{id}/attach",
    body: { owner: "{item}" },
  },
] as const;
const row: Partial<RestType> = { parts, state: { path: "status", ready: ["up"] } };
const properties = { name: "thing-one", size: 1, owner: "vm-1" };
const up = (owner: string): Response => json(thing({ status: "up", owner }));

/** What is sent after these answers, and how it ends. */
async function createdBy(...answers: ScriptedAnswer[]) {
  const cloud = scriptedCloud(...answers);
  const outcome = await sampleProvider(row).create(cloud.context(), createCall({ properties }));
  return { outcome, lines: cloud.lines(), bodies: cloud.requests.map(({ body }) => body) };
}

describe("a property that a create does not take", () => {
  it("is set by a call of its own once the object is usable", async () => {
    const made = json(thing({ status: "up", owner: "" }), 201);
    const { outcome, lines, bodies } = await createdBy(
      made,
      up(""),
      empty(),
      up("vm-1"),
      up("vm-1"),
      up("vm-1"),
    );
    expect(lines.filter((line) => !line.startsWith("GET"))).toEqual([
      "POST /v1/things",
      "POST /v1/things/t-1/attach",
    ]);
    expect(bodies[0]).toEqual({ name: "thing-one", size: 1 });
    expect(bodies[2]).toEqual({ owner: "vm-1" });
    expect(outcome).toMatchObject({ kind: "done", id: "t-1", outputs: { owner: "vm-1" } });
  });

  it("waits until the object is usable, and is set by the poll that finds it so", async () => {
    const { outcome } = await createdBy(json(thing({ status: "new" }), 201));
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1" });
    const cloud = scriptedCloud(up(""), up(""), empty(), up("vm-1"), up("vm-1"), up("vm-1"));
    const polled = await sampleProvider(row).poll(
      cloud.context(),
      pollCall("create", { properties }),
    );
    expect(cloud.lines()).toContain("POST /v1/things/t-1/attach");
    expect(polled).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("is not set twice: a repetition finds it", async () => {
    const cloud = scriptedCloud(up("vm-1"), up("vm-1"), up("vm-1"));
    await sampleProvider(row).poll(cloud.context(), pollCall("create", { properties }));
    expect(cloud.lines().every((line) => line.startsWith("GET"))).toBe(true);
  });

  it("is set on an object that a look-up finds", async () => {
    const found: Partial<RestType> = { ...row, find: { by: "name" }, envelope: { list: "things" } };
    const listed = thing({ name: "thing-one", status: "up", owner: "" });
    const cloud = scriptedCloud(
      json({ things: [listed] }),
      up(""),
      up(""),
      empty(),
      up("vm-1"),
      up("vm-1"),
      up("vm-1"),
    );
    await sampleProvider(found).lookUp(cloud.context(), lookUpCall({ properties }));
    expect(cloud.lines()).toContain("POST /v1/things/t-1/attach");
    const attached = json({ things: [thing({ name: "thing-one", status: "up", owner: "vm-1" })] });
    const there = scriptedCloud(attached, up("vm-1"), up("vm-1"), up("vm-1"));
    const again = await sampleProvider(found).lookUp(there.context(), lookUpCall({ properties }));
    expect(again).toMatchObject({ kind: "done", id: "t-1" });
    expect(there.lines().join()).not.toContain("attach");
  });

  it("that is refused leaves an object that an update can mend", async () => {
    const made = (): Response => json(thing({ status: "up", owner: "" }), 201);
    const refused = json({ code: "nope", message: "no such owner" }, 400);
    const { outcome } = await createdBy(made(), up(""), refused);
    expect(outcome).toMatchObject({ kind: "failed", code: "nope", id: "t-1", mendable: true });
    const busy = await createdBy(made(), up(""), json({ code: "busy", message: "later" }, 503));
    expect(busy.outcome).toMatchObject({ kind: "pending", id: "t-1" });
    const handle = busy.outcome.kind === "pending" ? busy.outcome.handle : null;
    const later = scriptedCloud(up(""), up(""), empty(), up("vm-1"), up("vm-1"), up("vm-1"));
    const polled = await sampleProvider(row).poll(
      later.context(),
      pollCall("create", { handle, properties }),
    );
    expect(later.lines()).toContain("POST /v1/things/t-1/attach");
    expect(polled).toMatchObject({ kind: "done" });
  });

  it.each([
    ["busy", { kind: "pending", id: "t-1" }],
    ["invalid", { kind: "failed", id: "t-1", code: "nope", mendable: true, retryable: false }],
  ] as const)(
    "leaves the object, and sends no second create, if its operation ends %s",
    async (means, outcome) => {
      const poller: Poller = {
        started: () => undefined,
        path: () => "/v1/operations/1",
        read: () => ({ state: "failed", code: "nope", message: "no", means }),
      };
      const cloud = scriptedCloud(json({}));
      const handle = { sinceMs: 1, operation: "1", partsDone: { part: 1, item: 0 } };
      const polled = await sampleProvider(row, { poller }).poll(
        cloud.context(),
        pollCall("create", { handle, properties }),
      );
      expect(polled).toMatchObject(outcome);
      expect(polled).not.toHaveProperty("ended");
      expect(JSON.stringify(polled)).not.toContain("partsDone");
    },
  );

  it("costs nothing where it is not set", async () => {
    const cloud = scriptedCloud(json(thing({ status: "up" }), 201));
    const outcome = await sampleProvider(row).create(cloud.context(), createCall());
    expect(outcome).toMatchObject({ kind: "done" });
    expect(cloud.lines()).toEqual(["POST /v1/things"]);
  });
});

describe("a part for each item of a property with one value", () => {
  const changesOf = async (before: JsonMap, after: JsonMap, shown: string | null) => {
    const object = (): Response => json(thing({ status: "up", owner: shown }));
    const cloud = scriptedCloud(...Array.from({ length: 8 }, object));
    const call = updateCall({
      before: { size: 1, ...before },
      properties: { size: 1, ...after },
    });
    await sampleProvider(row).update(cloud.context(), call);
    return cloud.requests
      .filter(({ method }) => method === "POST")
      .map(({ path, body }) => [path.split("/").at(-1), body]);
  };

  it("takes the old value away and adds the new one", async () => {
    const attach = ["attach", { owner: "vm-2" }];
    expect(await changesOf({}, { owner: "vm-2" }, "")).toEqual([attach]);
    expect(await changesOf({}, { owner: "vm-2" }, null)).toEqual([attach]);
    expect(await changesOf({ owner: "vm-1" }, {}, "vm-1")).toEqual([["detach", undefined]]);
    expect(await changesOf({ owner: "vm-1" }, { owner: "vm-2" }, "vm-1")).toEqual([
      ["detach", undefined],
      attach,
    ]);
    expect(await changesOf({ owner: "vm-1" }, { owner: "vm-2" }, "vm-2")).toEqual([]);
  });
});

it("takes it for done that an item is there already which the object does not show", async () => {
  const hidden: Partial<RestType> = {
    parts: [{ ...parts[1], properties: ["owners"], body: { owner: "{item}" } }],
  };
  const taken = json({ code: "exists", message: "already attached" }, 400);
  const cloud = scriptedCloud(json(thing()), taken, json(thing()), json(thing()));
  const outcome = await sampleProvider(hidden, {
    readError: () => ({ code: "exists", message: "already attached", means: "exists" }),
  }).update(
    cloud.context(),
    updateCall({ before: { size: 1 }, properties: { size: 1, owners: ["vm-1"] } }),
  );
  expect(outcome).toMatchObject({ kind: "done" });
});

it("sets what a patch removes to its fallback, where the cloud takes no null", async () => {
  const cloud = scriptedCloud(json(thing()));
  await sampleProvider({ fallback: { label: "" } }).update(
    cloud.context(),
    updateCall({ before: { size: 1, label: "a", note: "b" }, properties: { size: 1 } }),
  );
  expect(cloud.requests[0]?.body).toEqual({ label: "", note: null });
});

describe("what a delete is refused for", () => {
  const removed = async (...answers: ScriptedAnswer[]) => {
    const cloud = scriptedCloud(...answers);
    const call = { type: "vultr:Thing", id: "t-1", properties, token: "token-1" };
    const outcome = await sampleProvider(row).delete(cloud.context(), call);
    return { outcome, lines: cloud.lines().filter((line) => !line.startsWith("GET")) };
  };
  const detach = "POST /v1/things/t-1/detach";

  it("is taken away first, whoever put it there", async () => {
    for (const owner of ["vm-1", "by-hand"]) {
      const { lines } = await removed(up(owner), up(owner), empty(), up(""), up(""), empty());
      expect(lines).toEqual([detach, "DELETE /v1/things/t-1"]);
    }
    const { lines } = await removed(up(""), empty());
    expect(lines).toEqual(["DELETE /v1/things/t-1"]);
  });

  it("keeps the object where it cannot be taken away", async () => {
    const refused = json({ code: "nope", message: "no" }, 400);
    const { outcome, lines } = await removed(up("vm-1"), up("vm-1"), refused);
    expect(outcome).toMatchObject({ kind: "failed", code: "nope" });
    expect(lines).toEqual([detach]);
    const going = json(thing({ status: "going", owner: "vm-1" }));
    const waits = await removed(up("vm-1"), up("vm-1"), empty(), going);
    expect(waits.outcome).toMatchObject({ kind: "failed", means: "busy", retryable: true });
    expect(waits.lines).toEqual([detach]);
  });

  it("is nothing where the object is gone", async () => {
    const { lines } = await removed(empty(404), empty(404));
    expect(lines).toEqual(["DELETE /v1/things/t-1"]);
  });
});
