import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import type { Paging, RestType } from "#providers/rest/rest-type.ts";
import { valueAt } from "#providers/rest/value-at.ts";
import { lookUpCall, pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { empty, json, scriptedCloud, thing } from "#test/support/scripted-cloud.ts";

const byName: Partial<RestType> = {
  find: { by: "name", query: "label" },
  envelope: { list: "things" },
};
const other = thing({ id: "t-0", name: "other" });
const read = { type: "vultr:Thing", id: "t-1", properties: {} };

/** Looks for `thing-one`, which is on the second page. */
async function search(paging: Paging, first: Response, row: Partial<RestType> = byName) {
  const cloud = scriptedCloud(first, json({ things: [thing()] }), json(thing()));
  const outcome = await sampleProvider(row, { paging }).lookUp(cloud.context(), lookUpCall());
  return { lines: cloud.lines(), outcome };
}

describe("the next page of a list", () => {
  it("is at a link, which keeps the size that the first page was asked with", async () => {
    const next = "/v1/things?page=2&per_page=200";
    const first = json({ things: [other], links: { next } });
    const size = { query: "per_page", count: 200 };
    const { lines } = await search({ by: "link", at: "links.next", size }, first);
    expect(lines.slice(0, 2)).toEqual([
      "GET /v1/things?label=thing-one&per_page=200",
      `GET ${next}`,
    ]);
  });

  it("is at a link", async () => {
    const next = "/v1/things?page=2";
    const first = json({ things: [other], links: { next } });
    const { lines, outcome } = await search({ by: "link", at: "links.next" }, first);
    expect(lines.slice(0, 2)).toEqual(["GET /v1/things?label=thing-one", `GET ${next}`]);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it.for(["https://evil.example/", "/v1/other", "//evil.example", "a b&label=x#", 7] as const)(
    "has a cursor, which is never taken for a URL: %s",
    async (cursor) => {
      const first = json({ things: [other], meta: { next: cursor } });
      const paging = { by: "cursor", at: "meta.next", query: "cursor" } as const;
      const { lines, outcome } = await search(paging, first);
      const sent = new URL(lines[1]?.slice("GET ".length) ?? "", "https://cloud.example");
      expect(sent.pathname).toBe("/v1/things");
      expect([...sent.searchParams]).toEqual([
        ["label", "thing-one"],
        ["cursor", String(cursor)],
      ]);
      expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
    },
  );

  it.for([
    ["as many items as were seen, fewer than asked for", 50, { meta: { total: 3 } }],
    ["a full page, where no total is said", 2, {}],
  ] as const)("begins after %s", async ([, count, meta]) => {
    const size = { query: "_limit", count };
    const paging: Paging = { by: "offset", query: "_offset", size, total: "meta.total" };
    const { lines, outcome } = await search(paging, json({ things: [other, other], ...meta }));
    expect(lines.slice(0, 2)).toEqual([
      `GET /v1/things?label=thing-one&_offset=0&_limit=${count}`,
      `GET /v1/things?label=thing-one&_offset=2&_limit=${count}`,
    ]);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("begins after all items of the pages before it, however many each had", async () => {
    const paging: Paging = {
      by: "offset",
      query: "_offset",
      size: { query: "_limit", count: 5 },
      total: "meta.total",
    };
    const page = (...things: Json[]) => json({ things, meta: { total: 6 } });
    const cloud = scriptedCloud(
      page(other, other),
      page(other),
      page(other, other),
      page(thing()),
      json(thing()),
    );
    const outcome = await sampleProvider(byName, { paging }).lookUp(cloud.context(), lookUpCall());
    expect(cloud.lines().slice(0, 4)).toEqual(
      [0, 2, 3, 5].map((at) => `GET /v1/things?label=thing-one&_offset=${at}&_limit=5`),
    );
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("counts the items of all pages to the total of a list with counted pages", async () => {
    const size = { query: "per_page", count: 5 };
    const paging: Paging = { by: "page", query: "page", first: 0, size, total: "meta.total" };
    const page = (...things: Json[]) => json({ things, meta: { total: 4 } });
    const cloud = scriptedCloud(page(other, other), page(other), page(thing()), json(thing()));
    const outcome = await sampleProvider(byName, { paging }).lookUp(cloud.context(), lookUpCall());
    expect(cloud.lines().slice(0, 3)).toEqual(
      [0, 1, 2].map((at) => `GET /v1/things?label=thing-one&page=${at}&per_page=5`),
    );
    expect(cloud.requests).toHaveLength(4);
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("is none after a page that was not full, where no total is said", async () => {
    const size = { query: "_limit", count: 2 };
    const paging: Paging = { by: "offset", query: "_offset", size, total: "meta.total" };
    const { lines, outcome } = await search(paging, json({ things: [other] }));
    expect(lines).toHaveLength(1);
    expect(outcome).toMatchObject({ kind: "gone" });
  });

  it.for([
    ["the total is reached", json({ things: [other], meta: { total: 1 } }), 1],
    ["it has no items, whatever the total says", json({ things: [], meta: { total: 9 } }), 1],
  ] as const)("does not begin when %s", async ([, first, pages]) => {
    const size = { query: "_limit", count: 1 };
    const paging: Paging = { by: "offset", query: "_offset", size, total: "meta.total" };
    const { lines, outcome } = await search(paging, first);
    expect(lines).toHaveLength(pages);
    expect(outcome).toMatchObject({ kind: "gone" });
  });

  it("has its cursor in the last item of the page before, unless that page was not full", async () => {
    const paging: Paging = {
      by: "item",
      at: "cursor",
      query: "cursor",
      size: { query: "limit", count: 2 },
    };
    const row: Partial<RestType> = {
      find: { by: "name", query: "label" },
    };
    const unwrapped: RestProviderDefinition["listed"] = (answer) =>
      Array.isArray(answer) ? answer.map((item) => valueAt(item, "thing") ?? null) : undefined;
    const definition = { paging, listed: unwrapped };
    const listed = (cursor: string, of: Json): Json => ({ cursor, thing: of });
    const full = json([listed("c-1", other), listed("c-2", other)]);
    const cloud = scriptedCloud(full, json([listed("c-3", thing())]), json(thing()));
    const found = await sampleProvider(row, definition).lookUp(cloud.context(), lookUpCall());
    expect(found).toMatchObject({ kind: "done", id: "t-1" });
    expect(cloud.lines().slice(0, 2)).toEqual([
      "GET /v1/things?label=thing-one&limit=2",
      "GET /v1/things?label=thing-one&limit=2&cursor=c-2",
    ]);
    // What comes after a full page without a cursor is not known.
    const cut = scriptedCloud(json([{ thing: other }, { thing: other }]));
    const ends = await sampleProvider(row, definition).lookUp(cut.context(), lookUpCall());
    expect(ends).toMatchObject({ kind: "failed", code: "invalid_answer", unknownOutcome: true });
  });

  it("is counted, until one has none: a cloud may give fewer items than it was asked for", async () => {
    const size = { query: "per_page", count: 50 };
    const paging: Paging = { by: "page", query: "page", first: 1, size };
    const cloud = scriptedCloud(
      json({ things: [other] }),
      json({ things: [thing()] }),
      json({ things: [] }),
      json(thing()),
    );
    const found = await sampleProvider(byName, { paging }).lookUp(cloud.context(), lookUpCall());
    expect(cloud.lines().slice(0, 3)).toEqual(
      [1, 2, 3].map((page) => `GET /v1/things?label=thing-one&page=${page}&per_page=50`),
    );
    expect(found).toMatchObject({ kind: "done", id: "t-1" });
    const none = scriptedCloud(json({ things: [] }));
    const gone = sampleProvider(byName, { paging }).lookUp(none.context(), lookUpCall());
    expect(await gone).toEqual({ kind: "gone" });
  });

  it("is counted, until all of the total were seen", async () => {
    const size = { query: "per_page", count: 50 };
    const paging: Paging = { by: "page", query: "page", first: 1, size, total: "meta.total" };
    const meta = { total: 2 };
    const cloud = scriptedCloud(
      json({ things: [other], meta }),
      json({ things: [thing()], meta }),
      json(thing()),
    );
    const found = await sampleProvider(byName, { paging }).lookUp(cloud.context(), lookUpCall());
    expect(cloud.lines()).toHaveLength(3);
    expect(found).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("is in the Link header", async () => {
    const link =
      '<https://cloud.example/v1/things?page=9>; rel="last", <https://cloud.example/v1/things?page=2>; rel="next"';
    const { lines } = await search({ by: "header" }, json({ things: [other] }, 200, { link }));
    expect(lines[1]).toBe("GET /v1/things?page=2");
  });

  it("is a cursor in a header", async () => {
    const paging: Paging = { by: "cursor", header: "x-next", query: "page" };
    const { lines, outcome } = await search(
      paging,
      json({ things: [other] }, 200, { "x-next": "a/b" }),
    );
    expect(lines[1]).toBe("GET /v1/things?label=thing-one&page=a%2Fb");
    expect(outcome).toMatchObject({ kind: "done", id: "t-1" });
  });

  it("is below the path of lists, where that is another", async () => {
    const row: Partial<RestType> = { ...byName, paths: { list: "/v1/things?of={region}" } };
    const { lines } = await search({ by: "header" }, json({ things: [] }), row);
    expect(lines[0]).toMatch(/^GET \/v1\/things\?of=[a-z0-9-]+&label=thing-one$/);
  });

  it("is as the row says, where it differs from its provider", async () => {
    const row: Partial<RestType> = { ...byName, paging: { by: "link", at: "more" } };
    const { lines } = await search({ by: "header" }, json({ things: [], more: "/v1/x" }), row);
    expect(lines[1]).toBe("GET /v1/x");
  });

  it.for([null, "", undefined])("is none where the answer has %j", async (next) => {
    const cloud = scriptedCloud(json({ things: [other], ...(next === undefined ? {} : { next }) }));
    const provider = sampleProvider(byName, { paging: { by: "link", at: "next" } });
    expect(await provider.lookUp(cloud.context(), lookUpCall())).toEqual({ kind: "gone" });
  });

  it.for<[Paging["by"], Json]>([
    ["link", { page: 2 }],
    ["link", "page=2"],
    ["link", "javascript:alert(1)"],
    ["cursor", { page: 2 }],
    ["cursor", true],
  ])("by %s that is unreadable leaves the search without a result: %j", async ([by, next]) => {
    const paging = { by, at: "next", query: "cursor" } as Paging;
    const cloud = scriptedCloud(json({ things: [], next }));
    const outcome = await sampleProvider(byName, { paging }).lookUp(cloud.context(), lookUpCall());
    expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: true, retryable: true });
  });
});

describe("a list without its array", () => {
  it("is no list", async () => {
    const none = await sampleProvider(byName).lookUp(
      scriptedCloud(json({})).context(),
      lookUpCall(),
    );
    expect(none).toMatchObject({ kind: "failed", code: "invalid_answer" });
    const odd = sampleProvider(byName).lookUp(
      scriptedCloud(json({ things: "?" })).context(),
      lookUpCall(),
    );
    expect(await odd).toMatchObject({ kind: "failed", code: "invalid_answer" });
  });
});

describe("an object that is read from its list", () => {
  const row: Partial<RestType> = { read: { fromList: true }, envelope: { list: "things" } };
  const paging: Paging = { by: "link", at: "next" };

  it("is found on a later page", async () => {
    const cloud = scriptedCloud(
      json({ things: [other], next: "/v1/things?page=2" }),
      json({ things: [thing()], next: "/v1/things?page=3" }),
    );
    const outcome = await sampleProvider(row, { paging }).read(cloud.context(), read);
    expect(cloud.lines()).toEqual(["GET /v1/things", "GET /v1/things?page=2"]);
    expect(outcome).toEqual({ kind: "done", id: "t-1", outputs: thing() });
  });

  it("is gone when no page has it, and not when a page cannot be read", async () => {
    const none = scriptedCloud(json({ things: [other] }));
    expect(await sampleProvider(row).read(none.context(), read)).toEqual({ kind: "gone" });
    const cloud = scriptedCloud(json({ things: [other], next: "/v1/things?page=2" }), empty(503));
    const outcome = await sampleProvider(row, { paging }).read(cloud.context(), read);
    expect(outcome).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: false });
  });

  it("is waited for when a new one is not in the list yet", async () => {
    const cloud = scriptedCloud(json({ things: [] }));
    const outcome = await sampleProvider(row).poll(cloud.context(), pollCall("create"));
    expect(outcome).toMatchObject({ kind: "pending", id: "t-1", note: "not visible yet" });
  });

  it("is deleted once the list no longer has it", async () => {
    const provider = sampleProvider(row);
    const still = scriptedCloud(json({ things: [thing()] }));
    expect(await provider.poll(still.context(), pollCall("delete"))).toMatchObject({
      kind: "pending",
      note: "still exists",
    });
    const cloud = scriptedCloud(empty(), json({ things: [] }));
    expect(await provider.delete(cloud.context(), { ...read, token: "t" })).toEqual({
      kind: "gone",
    });
  });
});
