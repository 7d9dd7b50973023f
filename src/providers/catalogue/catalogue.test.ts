import { describe, expect, it, vi } from "vitest";
import { availableProviders, providerFor } from "#providers/registry.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { catalogue, catalogueFor, listTypes } from "./catalogue.ts";
import { type Assets, ShardCache } from "./shard-cache.ts";
import type { Shard, ShardIndex } from "./shard.ts";

/** Assets with these files of the catalogue, which count how often each is read. */
function assetsWith(files: Readonly<Record<string, ShardIndex | Shard | number>>) {
  const fetch = vi.fn<Assets["fetch"]>(async (url) => {
    const file = files[new URL(url).pathname.replace("/catalogue/", "")] ?? 404;
    return typeof file === "number"
      ? new Response("<html>", { status: file })
      : Response.json(file);
  });
  return { fetch };
}

const thing: Shard = {
  objects: [],
  types: { "Microsoft.Fake/things": { p: { name: "s" }, r: ["name"], version: "2024-01-01" } },
};
const azure = assetsWith({
  "azure/index.json": {
    stamp: "",
    complete: false,
    services: { "microsoft.fake": ["Microsoft.Fake/things"], other: ["Microsoft.Other/things"] },
  },
  "azure/microsoft.fake.json": thing,
});

describe("the verified types", () => {
  it("are those of the providers, with their facts", async () => {
    const fromProviders: string[] = [];
    for (const name of availableProviders()) {
      const provider = providerFor(name);
      for (const type of provider?.types() ?? []) {
        fromProviders.push(type);
        expect(catalogue().facts(type)).toEqual(provider?.facts(type));
      }
      expect(catalogue().openProviders.has(name)).toBe(provider?.openTypes);
      expect(catalogue().unavailableProviders.has(name)).toBe(false);
    }
    expect(catalogue().types()).toEqual(fromProviders);
    expect(fromProviders).toContain("mock:Network");
  });

  it("have no facts for inherited names", () => {
    for (const type of ["constructor", "__proto__", "mock:constructor", "mock:"])
      expect(catalogue().facts(type)).toBeUndefined();
  });

  it("have the outputs that their vendor describes, by one reading for all of a provider", async () => {
    const fetch = vi.fn<Assets["fetch"]>((url) => builtAssets.fetch(url));
    const cache = new ShardCache();
    const types = ["vultr:Instance", "vultr:Database", "vultr:Constructor", "vultr:SshKey"];
    const known = await catalogueFor(types, { fetch }, cache);
    expect(known.facts("vultr:Instance")?.describedOutputs).toContain("main_ip");
    expect(known.facts("vultr:Instance")).toMatchObject(catalogue().facts("vultr:Instance") ?? {});
    expect(known.facts("vultr:constructor")).toBeUndefined();
    expect(known.facts("vultr:SshKey")?.describedOutputs).toBeUndefined();
    expect(known.facts("magalu:Vm")?.describedOutputs).toBeUndefined();
    await catalogueFor(types, { fetch }, cache);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("need no reading", async () => {
    const { fetch } = azure;
    fetch.mockClear();
    await catalogueFor(["mock:Network", "digitalocean:Droplet", "nothing", ""], azure);
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("the described types", () => {
  it("are read by the services that a template names, once", async () => {
    const cache = new ShardCache();
    const type = "azure:Microsoft.Fake/things";
    azure.fetch.mockClear();
    for (let turn = 0; turn < 2; turn += 1) {
      const known = await catalogueFor([type, type], azure, cache);
      expect(known.facts(type)).toMatchObject({ required: ["name"], version: "2024-01-01" });
      expect(known.types()).toContain("azure:Microsoft.Other/things");
    }
    expect(azure.fetch.mock.calls.map(([url]) => new URL(url).pathname)).toEqual([
      "/catalogue/azure/index.json",
      "/catalogue/azure/microsoft.fake.json",
    ]);
  });

  it("are of the version that is described, and of no other", async () => {
    const type = "azure:Microsoft.Fake/things";
    const known = await catalogueFor([type], azure, new ShardCache());
    expect(known.facts(`${type}@2024-01-01`)).toEqual(known.facts(type));
    expect(known.facts(`${type}@2023-01-01`)).toBeUndefined();
  });

  it("leave a provider open unless its list is complete", async () => {
    const open = async (type: string, assets: Assets) =>
      [...(await catalogueFor([type], assets, new ShardCache())).openProviders].toSorted();
    expect(await open("azure:Microsoft.Fake/things", azure)).toEqual(["aws", "azure"]);
    expect(await open("aws:AWS::S3::Bucket", builtAssets)).toEqual(["azure"]);
    expect(await open("aws:AWS::S3::Bucket", assetsWith({}))).toEqual(["aws", "azure"]);
  });

  it("have no facts for inherited names", async () => {
    const types = ["aws:constructor", "aws:__proto__", "azure:constructor", "gcp:"];
    const known = await catalogueFor(types, builtAssets, new ShardCache());
    for (const type of types) expect(known.facts(type)).toBeUndefined();
  });

  it("fail when the assets do, and when a shard is lost", async () => {
    const type = "azure:Microsoft.Fake/things";
    const failing = assetsWith({ "azure/index.json": 500 });
    await expect(catalogueFor([type], failing, new ShardCache())).rejects.toThrow("500");
    const { fetch } = azure;
    const lost = {
      fetch: async (url: string) => fetch(url.replace("microsoft.fake", "nothing")),
    };
    await expect(catalogueFor([type], lost, new ShardCache())).rejects.toThrow("lacks");
  });
});

describe("the cache", () => {
  it("forgets the least recently used beyond its size, and keeps what it just read", async () => {
    const index: ShardIndex = { stamp: "x".repeat(40), complete: false, services: {} };
    const assets = assetsWith({
      "a/index.json": index,
      "b/index.json": index,
      "c/index.json": index,
    });
    const cache = new ShardCache(200);
    for (const provider of ["a", "b", "a", "c", "a", "b"]) await cache.index(provider, assets);
    const read = assets.fetch.mock.calls.map(([url]) => new URL(url).pathname.at(11));
    expect(read).toEqual(["a", "b", "c", "b"]);
    const tiny = new ShardCache(1);
    expect(await tiny.index("a", assets)).toEqual(index);
  });
});

describe("the list of a provider's types", () => {
  it("says what is known of each, in the order of the names", async () => {
    const listed = await listTypes("azure", azure, new ShardCache());
    expect(listed.filter(({ knowledge }) => knowledge === "described")).toEqual([
      { type: "azure:Microsoft.Fake/things", knowledge: "described" },
      { type: "azure:Microsoft.Other/things", knowledge: "described" },
    ]);
    const mock = await listTypes("mock", azure);
    expect(mock.every(({ knowledge }) => knowledge === "verified")).toBe(true);
    expect(mock.map(({ type }) => type)).toEqual(
      catalogue()
        .types()
        .filter((type) => type.startsWith("mock:"))
        .toSorted(),
    );
    expect(await listTypes("constructor", azure)).toEqual([]);
  });
});
