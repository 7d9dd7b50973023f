/** What rows of Google's APIs need of changes: masks, fingerprints, conditions in queries, wrapped bodies. */
import { describe, expect, it } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import {
  createCall,
  lookUpCall,
  sampleProvider,
  updateCall,
} from "#test/support/sample-provider.ts";
import { json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";
import {
  afterUpdate,
  beforeUpdate,
  type SentUpdate,
  sentUpdate,
} from "#test/support/sent-update.ts";
import type { GcpType } from "./gcp-row.ts";
import { headersOf, listed, prepareRequest, readsFirst } from "./google-calls.ts";

const google: Partial<RestProviderDefinition> = {
  headers: (_, row) => headersOf(row),
  readsFirst,
  listed,
  prepare: prepareRequest,
};

function sent(
  row: Partial<GcpType>,
  more: Parameters<typeof sentUpdate>[1] = {},
): Promise<SentUpdate> {
  return sentUpdate(row, more, google);
}

it("a merge patch is plain JSON", async () => {
  expect(await sent({ update: "MERGE" })).toMatchObject({
    type: "application/json",
    body: { old: null },
  });
});

describe("an update with a mask", () => {
  const row: Partial<GcpType> = { update: "MERGE", mask: "query" };

  it("names the changed paths down to values, lists and maps of labels", async () => {
    const { lines, body, type } = await sent(row, {
      before: {
        ...beforeUpdate,
        settings: { ...(beforeUpdate["settings"] as JsonMap), deep: { a: 1, b: 2 } },
      },
      after: {
        ...afterUpdate,
        settings: { ...(afterUpdate["settings"] as JsonMap), deep: { a: 5 } },
      },
    });
    expect(lines).toEqual([
      `PATCH /v1/things/t-1?updateMask=${encodeURIComponent("settings.labels,settings.deep.a,settings.deep.b,disks,old")}`,
    ]);
    expect(body).toEqual({
      settings: { labels: { x: "3" }, deep: { a: 5 } },
      disks: [{ type: "ssd", gb: 2 }],
    });
    expect(type).toBe("application/json");
  });

  it("names a map as a whole whose keys cannot stand in a mask", async () => {
    const { lines } = await sent(row, {
      before: { env: { "a-b": "1" } },
      after: { env: { "a-b": "2" } },
    });
    expect(lines).toEqual(["PATCH /v1/things/t-1?updateMask=env"]);
  });
});

describe("fields that are carried along", () => {
  const row: Partial<GcpType> = { update: "MERGE", carried: ["fingerprint", "meta.etag"] };

  it("are sent back as the cloud last showed them", async () => {
    const current = { fingerprint: "f-7", meta: { etag: "e", other: 1 } };
    const { lines, body } = await sent(row, { current });
    expect(lines).toEqual(["GET /v1/things/t-1", "PATCH /v1/things/t-1"]);
    expect(body).toMatchObject({ fingerprint: "f-7", meta: { etag: "e" }, old: null });
    expect(JSON.stringify(body)).not.toContain("other");
  });

  it("are read again by the repetition, after the object has changed in between", async () => {
    const stale = json({ code: "conditionNotMet" }, 412);
    const cloud = scriptedCloud(json(thing({ fingerprint: "f-1" })), stale);
    const provider = sampleProvider(row, google);
    const first = await provider.update(cloud.context(), updateCall());
    expect(first).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: false });
    const later = scriptedCloud(json(thing({ fingerprint: "f-2" })), json(thing({ size: 2 })));
    expect(await provider.update(later.context(), updateCall())).toMatchObject({ kind: "done" });
    expect(later.requests[1]?.body).toEqual({ size: 2, fingerprint: "f-2" });
  });

  it("do not make an update of nothing", async () => {
    const cloud = scriptedCloud(json(thing()));
    await sampleProvider(row, google).update(
      cloud.context(),
      updateCall({ properties: { size: 1 } }),
    );
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1"]);
  });
});

describe("a mask in the body", () => {
  const row: Partial<GcpType> = {
    update: "MERGE",
    bodyKey: "whole",
    mask: { beside: "topic" },
    unsent: ["name"],
    name: { property: "name" },
  };
  const before = { name: "a", labels: { a: "b" }, retention: "1s", note: "x" };
  const after = { name: "a", labels: { a: "c" }, retention: "1s" };

  it("stands beside the changed properties", async () => {
    const cloud = scriptedCloud(json(thing()));
    const call = updateCall({ before, properties: after });
    await sampleProvider(row, google).update(cloud.context(), call);
    expect(cloud.requests[0]?.body).toEqual({
      topic: { labels: { a: "c" } },
      updateMask: "labels,note",
    });
  });

  it("is not sent for nothing", async () => {
    const cloud = scriptedCloud(json(thing()));
    const call = updateCall({ before: after, properties: after });
    await sampleProvider(row, google).update(cloud.context(), call);
    expect(cloud.lines()).toEqual(["GET /v1/things/t-1"]);
  });

  it("names the labels as a whole, with the mark", async () => {
    const labelled: Partial<GcpType> = {
      find: { by: "label", property: "meta.labels", key: "made-by" },
      update: "MERGE",
      mask: "query",
    };
    const labels = (own: JsonMap) => ({ meta: { labels: { ...own, "made-by": "token-0" } } });
    const cloud = scriptedCloud(json(thing(labels({ a: "1" }))), json(thing()));
    const call = updateCall({
      before: { meta: { labels: { a: "1" } } },
      properties: { meta: { labels: { b: "1" } } },
    });
    await sampleProvider(labelled, google).update(cloud.context(), call);
    expect(cloud.lines()[1]).toBe("PATCH /v1/things/t-1?updateMask=meta.labels");
    expect(cloud.requests[1]?.body).toEqual(labels({ b: "1" }));
  });
});

it("a condition in the query is as the cloud last showed it", async () => {
  const row: Partial<GcpType> = { update: "MERGE", carriedQuery: { ifMatch: "meta.generation" } };
  const { lines } = await sent(row, { current: { meta: { generation: 7 } } });
  expect(lines).toEqual(["GET /v1/things/t-1", "PATCH /v1/things/t-1?ifMatch=7"]);
});

it("a create has members beside its body, and no property that stands in paths alone", async () => {
  const row: Partial<GcpType> = {
    bodyKey: "account",
    besideBody: { accountId: "name" },
    unsent: ["name"],
  };
  const cloud = scriptedCloud(json(thing(), 201));
  const call = createCall({ properties: { name: "web", text: "one" } });
  await sampleProvider(row, google).create(cloud.context(), call);
  expect(cloud.requests[0]?.body).toEqual({ accountId: "web", account: { text: "one" } });
});

it("a list without its array is empty, and one with something else is no list", async () => {
  const row: Partial<GcpType> = { find: { by: "name" }, envelope: { list: "things" } };
  const provider = sampleProvider(row, google);
  const looked = async (answer: Json) =>
    provider.lookUp(scriptedCloud(json(answer)).context(), lookUpCall());
  expect(await looked({})).toEqual({ kind: "gone" });
  for (const odd of [{ things: "?" }, { things: null }, []])
    expect(await looked(odd)).toMatchObject({ kind: "failed", code: "invalid_answer" });
});
