import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
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

describe("a token", () => {
  it("is a UUID where the cloud takes nothing else, the same each time", async () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const seen: Json[] = [];
    for (const token of ["token-1", "token-1", "token-2"]) {
      const cloud = scriptedCloud(json(thing(), 201));
      const row = { create: { token: { query: "requestId", format: "uuid" } } } as const;
      await sampleProvider(row).create(cloud.context(), createCall({ token }));
      seen.push(new URL(`https://x${cloud.requests[0]?.path}`).searchParams.get("requestId"));
    }
    expect(seen[0]).toMatch(uuid);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[2]).not.toBe(seen[0]);
  });

  it("as a UUID is sent in a header", async () => {
    const cloud = scriptedCloud(json(thing(), 201));
    const row = { create: { token: { header: "x-once", format: "uuid" } } } as const;
    await sampleProvider(row).create(cloud.context(), createCall());
    expect(cloud.requests[0]?.headers.get("x-once")).toMatch(/^[0-9a-f-]{36}$/);
  });
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
