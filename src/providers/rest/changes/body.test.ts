import { applyPatch } from "rfc6902";
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { createCall, sampleProvider, updateCall } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import { beforeUpdate, sentUpdate } from "#test/support/sent-update.ts";

it("finds a value at a dotted path through maps and lists", () => {
  expect(valueAt({ a: [{ b: 1 }, { b: 2 }] }, "a.1.b")).toBe(2);
  expect(valueAt({ a: 1 }, undefined)).toEqual({ a: 1 });
});

it.for(["b", "a.b", "a.b.c", "constructor", "__proto__", "l.x", "l.9", "l.length"])(
  "finds nothing at %s",
  (path) => {
    expect(valueAt({ a: 1, l: [1] }, path)).toBeUndefined();
  },
);

describe("an update by merge patch", () => {
  it("sends what differs, and null for what is gone, at every depth", async () => {
    const { lines, body, type } = await sentUpdate({ update: "MERGE" });
    expect(lines).toEqual(["PATCH /v1/things/t-1"]);
    expect(type).toBe("application/merge-patch+json");
    expect(body).toEqual({
      old: null,
      settings: { labels: { x: "3", y: null } },
      disks: [{ type: "ssd", gb: 2 }],
    });
  });

  it("sends everything when an earlier update may have been applied, and still removes", async () => {
    const { body } = await sentUpdate({ update: "MERGE" }, { after: beforeUpdate, unsure: true });
    expect(body).toEqual({ title: "t", ...beforeUpdate });
    const { body: changed } = await sentUpdate({ update: "MERGE" }, { unsure: true });
    expect(changed).toMatchObject({
      old: null,
      settings: { tier: "a", labels: { x: "3", y: null } },
    });
  });
});

describe("properties by path", () => {
  it("that are create-only or read-only are left out of updates, in every item of a list", async () => {
    const row: Partial<RestType> = {
      update: "PUT",
      createOnly: ["settings.key", "disks[*].type"],
      readOnly: ["settings.tier"],
    };
    const { body } = await sentUpdate(row);
    expect(body).toEqual({
      title: "t",
      settings: { labels: { x: "3" } },
      disks: [{ gb: 2 }],
    });
  });

  it("that are read-only are never sent, create-only ones with the create", async () => {
    const row: Partial<RestType> = { createOnly: ["settings.key"], readOnly: ["settings.tier"] };
    const cloud = scriptedCloud(json(thing(), 201));
    await sampleProvider(row).create(cloud.context(), createCall({ properties: beforeUpdate }));
    expect(cloud.requests[0]?.body).toMatchObject({
      settings: { labels: { x: "1", y: "2" }, key: "k" },
    });
    expect(cloud.requests[0]?.body).not.toMatchObject({ settings: { tier: "a" } });
  });

  it("that are immutable are in whole bodies, and not in patches", async () => {
    const immutable = ["settings.tier"];
    const patch = await sentUpdate({ update: "MERGE", immutable }, { unsure: true });
    expect(JSON.stringify(patch.body)).not.toContain("tier");
    const whole = await sentUpdate({ update: "PUT", immutable });
    expect(whole.body).toMatchObject({ settings: { tier: "a" } });
  });
});

describe("an update by JSON patch", () => {
  const row: Partial<RestType> = { update: "JSON_PATCH" };
  const current: JsonMap = {
    ...beforeUpdate,
    title: "t",
    arn: "arn:1",
    settings: { tier: "a", labels: { y: "2", x: "1" }, key: "k", madeBy: "cloud" },
  };

  it("changes the object as it is, and nothing that only the cloud set", async () => {
    const { lines, body, type } = await sentUpdate(row, { current });
    expect(lines).toEqual(["GET /v1/things/t-1", "PATCH /v1/things/t-1"]);
    expect(type).toBe("application/json-patch+json");
    const object = structuredClone(thing(current));
    expect(applyPatch(object, body as never)).toEqual([null, null, null, null]);
    expect(object).toEqual(
      thing({
        title: "t",
        arn: "arn:1",
        settings: { tier: "a", labels: { x: "3" }, key: "k", madeBy: "cloud" },
        disks: [{ type: "ssd", gb: 2 }],
      }),
    );
  });

  it("replaces a list as a whole, since the cloud may show it in another order", async () => {
    const tags = { before: ["a", "b", "c"], after: ["a", "c"], shown: ["c", "b", "a"] };
    const { body } = await sentUpdate(row, {
      before: { tags: tags.before },
      after: { tags: tags.after },
      current: { title: "t", tags: tags.shown },
    });
    expect(body).toEqual([{ op: "replace", path: "/tags", value: ["a", "c"] }]);
  });

  it("has nothing left to do when it is repeated", async () => {
    const cloud = scriptedCloud(json(thing({ size: 2 })), json(thing({ size: 2 })));
    const outcome = await sampleProvider(row).update(cloud.context(), updateCall());
    expect(outcome).toMatchObject({ kind: "done" });
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1", "GET /v1/things/t-1"]);
  });

  it("adds what is sent but never shown again, which the cloud would lose", async () => {
    const { body } = await sentUpdate(
      { ...row, writeOnly: ["settings.key", "disks[*].type"] },
      {
        after: { ...beforeUpdate, old: 2 },
        current: { ...beforeUpdate, title: "t", settings: { tier: "a" } },
      },
    );
    expect(body).toContainEqual({ op: "add", path: "/settings/key", value: "k" });
    expect(body).toContainEqual({ op: "replace", path: "/old", value: 2 });
    expect(body).toContainEqual({ op: "replace", path: "/disks", value: beforeUpdate["disks"] });
    expect(body).toHaveLength(3);
  });

  it("adds whatever the object does not show, where the row does not know what is never shown", async () => {
    const { body } = await sentUpdate(
      { ...row, hidesUnknown: true },
      {
        before: { size: 1, login: { user: "u", password: "p" }, keys: [1] },
        after: { size: 2, login: { user: "u", password: "p" }, keys: [1] },
        current: { title: "t", size: 1, login: { user: "u" }, added: true },
      },
    );
    expect(body).toContainEqual({ op: "add", path: "/login/password", value: "p" });
    expect(body).toContainEqual({ op: "add", path: "/keys", value: [1] });
    expect(body).toContainEqual({ op: "replace", path: "/size", value: 2 });
    expect(body).toHaveLength(3);
  });
});

describe("a token", () => {
  it("is a UUID where the cloud takes nothing else, the same each time", async () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const seen: Json[] = [];
    for (const token of ["token-1", "token-1", "token-2"]) {
      const cloud = scriptedCloud(json(thing(), 201));
      const row = { idempotency: { query: "requestId", format: "uuid" } } as const;
      await sampleProvider(row).create(cloud.context(), createCall({ token }));
      seen.push(new URL(`https://x${cloud.requests[0]?.path}`).searchParams.get("requestId"));
    }
    expect(seen[0]).toMatch(uuid);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  it.for([{ header: "x-once" }, { field: "once" }] as const)(
    "as a UUID is sent in %o",
    async (at) => {
      const cloud = scriptedCloud(json(thing(), 201));
      const row = { idempotency: { ...at, format: "uuid" } } as const;
      await sampleProvider(row).create(cloud.context(), createCall());
      const [request] = cloud.requests;
      const body = request?.body as JsonMap;
      const token = "header" in at ? request?.headers.get("x-once") : body["once"];
      expect(token).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

it("a whole-body update without an answer is sent once", async () => {
  const cloud = scriptedCloud(empty(), json(thing()));
  await sampleProvider({ update: "PUT" }).update(cloud.context(), updateCall());
  expect(cloud.lines()).toEqual(["PUT /v1/things/t-1", "GET /v1/things/t-1"]);
});

it("a whole-body update resets what has left the template, and nothing that was never in it", async () => {
  const row: Partial<RestType> = { update: "PUT", fallback: { note: "", allowed: [] } };
  const update = await sentUpdate(row, { before: { note: "x" }, after: { title: "y" } });
  expect(update.body).toMatchObject({ note: "", title: "y" });
  expect(update.body).not.toHaveProperty("allowed");
});
