import { describe, expect, it } from "vitest";
import type { ProviderContext } from "#providers/provider.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { createCall, lookUpCall, pollCall, sampleProvider } from "#test/support/sample-provider.ts";
import { json, thing } from "#test/support/scripted-cloud.ts";

const definition: Partial<RestProviderDefinition> = {
  hosts: {
    compute: ({ region }) => `https://${region}-compute.example/base/`,
    tokens: () => "https://tokens.example",
  },
};
const row: Partial<RestType> = { host: "compute" };

/** The URLs that a call asks for, all answered with this. */
function recorded(answer: () => Response, more: Partial<ProviderContext> = {}) {
  const urls: string[] = [];
  const context: ProviderContext = {
    targetId: "target-1",
    region: "eu-1",
    config: {},
    credential: { token: "s3cr3t-token" },
    fetch: async ({ url }) => {
      urls.push(url);
      return answer();
    },
    now: () => 1_000_000,
    ...more,
  };
  return { urls, context };
}
const made = () => json(thing(), 201);

describe("the host of a request", () => {
  it("is the row's, or else the base URL", async () => {
    const { urls, context } = recorded(made);
    await sampleProvider(row, definition).create(context, createCall());
    await sampleProvider({}, definition).create(context, createCall());
    expect(urls).toEqual([
      "https://eu-1-compute.example/base/v1/things",
      "https://cloud.example/v1/things",
    ]);
  });

  it.for(["eu.evil.example/", "EU-1", "eu_1", "", "eu-1#", "eu-1@evil.example", "..", "é"])(
    "is refused where the region would change its domain: %j",
    async (region) => {
      const { urls, context } = recorded(made, { region });
      const outcome = await sampleProvider(row, definition).create(context, createCall());
      expect(outcome).toMatchObject({ kind: "failed", code: "invalid_url", unknownOutcome: false });
      expect(urls).toEqual([]);
    },
  );

  it("does not care for a region that is no part of it", async () => {
    const { urls, context } = recorded(made, { region: "EU 1" });
    await sampleProvider({}, definition).create(context, createCall());
    expect(urls).toHaveLength(1);
  });

  it("names its provider's hosts, for the operator's setting", () => {
    expect(sampleProvider(row, definition).hosts).toEqual(["compute", "tokens"]);
    expect(sampleProvider().hosts).toBeUndefined();
  });
});

describe("the operator's redirection", () => {
  it("by one URL takes the calls to every host", async () => {
    const { urls, context } = recorded(made, { endpoint: "http://localhost:9/fake/" });
    await sampleProvider(row, definition).create(context, createCall());
    await sampleProvider({}, definition).create(context, createCall());
    expect(urls).toEqual([
      "http://localhost:9/fake/v1/things",
      "http://localhost:9/fake/v1/things",
    ]);
  });

  it("by host takes the calls to that host alone", async () => {
    const endpoints = { compute: "http://localhost:9" };
    const { urls, context } = recorded(made, { endpoints });
    await sampleProvider(row, definition).create(context, createCall());
    await sampleProvider({}, definition).create(context, createCall());
    await sampleProvider({ host: "tokens" }, definition).create(context, createCall());
    expect(urls).toEqual([
      "http://localhost:9/v1/things",
      "https://cloud.example/v1/things",
      "https://tokens.example/v1/things",
    ]);
  });

  it("takes the base URL beside hosts", async () => {
    const { urls, context } = recorded(made, {
      endpoint: "http://localhost:8",
      endpoints: { compute: "http://localhost:9" },
    });
    await sampleProvider({}, definition).create(context, createCall());
    await sampleProvider(row, definition).create(context, createCall());
    expect(urls).toEqual(["http://localhost:8/v1/things", "http://localhost:9/v1/things"]);
  });
});

describe("a link in an answer", () => {
  const listing: Partial<RestType> = {
    ...row,
    find: { by: "name" },
    envelope: { list: "things" },
    paging: { by: "link", at: "next" },
  };
  const follow = async (next: string, more: Partial<ProviderContext> = {}) => {
    let page = 0;
    const { urls, context } = recorded(() => {
      page += 1;
      return json(page === 1 ? { things: [], next } : { things: [] });
    }, more);
    const outcome = await sampleProvider(listing, definition).lookUp(context, lookUpCall());
    return { urls, outcome };
  };

  it.for([
    "https://eu-1-compute.example/v1/things?page=2",
    "https://cloud.example/v1/things?page=2",
    "https://tokens.example/v1/things?page=2",
  ])("may lead to any declared host: %s", async (next) => {
    const { urls, outcome } = await follow(next);
    expect(urls[1]).toBe(next);
    expect(outcome).toEqual({ kind: "gone" });
  });

  it.for([
    "https://evil.example/v1/things",
    "http://cloud.example/v1/things",
    "https://cloud.example:8443/v1/things",
    "https://cloud.example.evil.example/v1/things",
    "https://us-1-compute.example/base/v1/things",
  ])("leads nowhere else, and the credential with it: %s", async (next) => {
    const { urls, outcome } = await follow(next);
    expect(urls).toHaveLength(1);
    expect(outcome).toMatchObject({ kind: "failed", code: "invalid_url" });
  });

  it("does not lead around the operator's redirection", async () => {
    const endpoint = "http://localhost:9/fake/";
    const { urls } = await follow("https://cloud.example/v1/things?page=2", { endpoint });
    expect(urls[1]).toBe("http://localhost:9/fake/v1/things?page=2");
    const own = await follow("http://localhost:9/fake/v1/things?page=2", { endpoint });
    expect(own.urls[1]).toBe("http://localhost:9/fake/v1/things?page=2");
    const { outcome } = await follow("https://evil.example/v1/things?page=2", { endpoint });
    expect(outcome).toMatchObject({ kind: "failed", code: "invalid_url" });
  });

  it("of a host with a path leads to what the operator put in its place", async () => {
    const endpoints = { compute: "http://localhost:9" };
    const next = "https://eu-1-compute.example/base/v1/things?page=2";
    const { urls } = await follow(next, { endpoints });
    expect(urls[1]).toBe("http://localhost:9/v1/things?page=2");
    const beside = await follow("https://eu-1-compute.example/baseless?page=2", { endpoints });
    expect(beside.urls[1]).toBe("http://localhost:9/baseless?page=2");
  });

  it("to an operation is held to the same", async () => {
    const { urls, context } = recorded(made);
    const poller = {
      started: () => undefined,
      path: (operation: unknown) => String(operation),
      read: () => ({ state: "running" }) as const,
    };
    const provider = sampleProvider(row, { ...definition, poller });
    for (const operation of [
      "https://evil.example/op",
      "//evil.example/op",
      "op",
      "javascript:1",
    ]) {
      const call = pollCall("create", { handle: { sinceMs: 1_000_000, operation } });
      await provider.poll(context, call);
    }
    expect(urls).toEqual(["https://eu-1-compute.example/base//evil.example/op"]);
  });
});
