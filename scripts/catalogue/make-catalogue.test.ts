/** The vendors' files here are hand-written in the vendors' shapes. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeTemplate } from "#engine/template/describe.ts";
import { factsIn, type Shard } from "#providers/catalogue/shard.ts";
import { ensureAwsCatalogue } from "./ensure-aws-catalogue.ts";
import { makeCatalogue } from "./make-catalogue.ts";
import { ShardBuilder, shardFiles } from "./shard-builder.ts";
import { catalogueDirectory, stampOn, writeShards } from "./write-shards.ts";

const directory = await mkdtemp(path.join(tmpdir(), "catalogue-"));
afterAll(() => rm(directory, { recursive: true, force: true }));

const ref = (index: number) => ({ $ref: `#/${index}` });
const property = (index: number, flags = 0) => ({ type: ref(index), flags });

/** A storage account of that version, with a private sub-object, and an operation that nobody can create. */
const bicep = (version: string, extra: object = {}) => [
  { $type: "StringType" },
  { $type: "StringLiteralType", value: "Hot" },
  { $type: "StringLiteralType", value: "Cool" },
  { $type: "UnionType", elements: [ref(1), ref(2)] },
  {
    $type: "ObjectType",
    name: "Properties",
    properties: {
      tier: property(3),
      state: property(0, 2),
      key: property(0, 4),
      rules: property(6),
      mode: property(8),
    },
  },
  {
    $type: "ObjectType",
    name: "Microsoft.Fake/stores",
    properties: {
      id: property(0, 10),
      apiVersion: property(0, 10),
      name: property(0, 9),
      location: property(0, 1),
      tags: property(7),
      properties: property(4),
      ...extra,
    },
  },
  { $type: "ArrayType", itemType: ref(4) },
  { $type: "ObjectType", name: "Tags", properties: {}, additionalProperties: ref(0) },
  { $type: "UnionType", elements: [ref(1), ref(0)] },
  {
    $type: "ResourceType",
    name: `Microsoft.Fake/stores@${version}`,
    body: ref(5),
    readableScopes: 8,
    writableScopes: 8,
  },
  {
    $type: "ResourceType",
    name: `Microsoft.Fake/operations@${version}`,
    body: ref(5),
    readableScopes: 8,
    writableScopes: 0,
  },
  {
    $type: "DiscriminatedObjectType",
    name: "Microsoft.Fake/scripts",
    discriminator: "kind",
    baseProperties: { name: property(0, 9) },
    elements: { Bash: ref(12), Shell: ref(13) },
  },
  { $type: "ObjectType", name: "Bash", properties: { kind: property(1, 1), path: property(0, 1) } },
  { $type: "ObjectType", name: "Shell", properties: { kind: property(2, 1), size: property(3) } },
  { $type: "ResourceType", name: `Microsoft.Fake/scripts@${version}`, body: ref(11), flags: 0 },
];

const discovery = (version: string) => ({
  kind: "discovery#restDescription",
  name: "fake",
  version,
  schemas: {
    GoogleCloudFakeV1Instance: {
      id: "GoogleCloudFakeV1Instance",
      type: "object",
      properties: {
        name: { type: "string", description: "Immutable. Its name." },
        state: { type: "string", readOnly: true, enum: ["UP", "DOWN"] },
        host: { type: "string", description: "Output only. Where it is." },
        size: { type: "string", format: "int64" },
        mode: { type: "string", enum: ["FAST", "SLOW"] },
        labels: { type: "object", additionalProperties: { type: "string" } },
        disks: { type: "array", items: { $ref: "Disk" } },
        ...(version === "v2" ? { second: { type: "boolean" } } : {}),
      },
    },
    Disk: { type: "object", properties: { disk: { $ref: "Disk" }, gb: { type: "integer" } } },
    CreateKeyRequest: {
      type: "object",
      properties: { keyId: { type: "string" }, key: { $ref: "Key" } },
    },
    Key: { type: "object", properties: { bits: { type: "integer" } } },
  },
  resources: {
    projects: {
      resources: {
        instances: {
          methods: {
            create: {
              request: { $ref: "GoogleCloudFakeV1Instance" },
              parameters: {
                parent: { location: "path" },
                instanceId: { location: "query" },
                requestId: { location: "query" },
                validateOnly: { location: "query" },
              },
            },
            get: {},
          },
        },
        keys: { methods: { create: { request: { $ref: "CreateKeyRequest" }, parameters: {} } } },
      },
    },
  },
});

/** The answers of the vendors' hosts, by path. */
const served: Record<string, unknown> = {
  "/azure/index.json": {
    resources: {
      "Microsoft.Fake/stores@2024-01-01": { $ref: "fake/old/types.json#/9" },
      "Microsoft.Fake/stores@2025-01-01": { $ref: "fake/new/types.json#/9" },
      "Microsoft.Fake/stores@2026-01-01-preview": { $ref: "fake/preview/types.json#/9" },
    },
  },
  "/azure/fake/new/types.json": bicep("2025-01-01"),
};
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  const found = served[(request.url ?? "").replace(/\?.*/, "")];
  response.statusCode = found === undefined ? 404 : 200;
  response.end(JSON.stringify(found ?? {}));
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  served["/gcp/apis"] = { items: [{ discoveryRestUrl: `${origin}/gcp/fake` }, {}] };
  served["/gcp/fake"] = discovery("v1");
});
afterAll(() => {
  server.close();
});

async function folderWith(files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(path.join(directory, "vendor-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(
      path.join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  }
  return folder;
}

const shardOf = async (place: string, file: string): Promise<Shard> =>
  JSON.parse(await readFile(path.join(place, file), "utf8")) as Shard;

describe("Azure", () => {
  it("has the newest stable version of each writable type, from a folder", async () => {
    const folder = await folderWith({
      "a/types.json": bicep("2024-01-01"),
      "b/types.json": bicep("2025-01-01", { extra: property(0) }),
      "c/types.json": bicep("2026-01-01-preview"),
      "index.json": { resources: {} },
    });
    const place = path.join(directory, "azure-folder");
    expect(await makeCatalogue("azure", { folder, directory: place })).toMatch(
      /^The catalogue of azure: 2 files, \d+ KiB, \d+ KiB gzip, made in [\d.]+ s\.$/,
    );
    const shard = await shardOf(place, "azure/microsoft.fake.json");
    expect(Object.keys(shard.types)).toEqual(["Microsoft.Fake/scripts", "Microsoft.Fake/stores"]);
    const facts = factsIn(shard, "Microsoft.Fake/stores");
    expect(facts).toMatchObject({
      version: "2025-01-01",
      required: ["location"],
      readOnly: ["id", "properties.state"],
      writeOnly: ["properties.key"],
      immutable: ["name", "location", "resourceGroup", "scope"],
      deleteBeforeReplace: true,
      regionProperty: "location",
      shown: ["name", "tags", "location", "resourceGroup", "scope"],
    });
    expect(facts?.shape?.properties).not.toHaveProperty("apiVersion");
    expect(facts?.shape?.properties).toHaveProperty("extra");
    expect(facts?.shape?.properties["properties"]?.object?.properties).toMatchObject({
      tier: { enum: ["Hot", "Cool"] },
      mode: { type: "string" },
    });
    expect(facts?.shape?.properties["tags"]).toEqual({ type: "object", items: { type: "string" } });
    expect(factsIn(shard, "Microsoft.Fake/scripts")?.shape?.properties).toMatchObject({
      kind: { enum: ["Bash", "Shell"] },
      path: { type: "string" },
      size: { enum: ["Hot", "Cool"] },
    });
  });

  it("is downloaded: the newest stable file of each type and no other", async () => {
    const place = path.join(directory, "azure-web");
    await makeCatalogue("azure", { origin: `${origin}/azure`, directory: place });
    const shard = await shardOf(place, "azure/microsoft.fake.json");
    expect(Object.keys(shard.types)).toEqual(["Microsoft.Fake/stores"]);
    expect(asked.filter((url) => url.startsWith("/azure"))).toEqual([
      "/azure/index.json",
      "/azure/fake/new/types.json",
    ]);
  });

  it("is checked with line and column once it is there", async () => {
    const place = path.join(directory, "azure-web");
    const shard = await shardOf(place, "azure/microsoft.fake.json");
    const { diagnostics } = describeTemplate(
      "resources:\n  a:\n    type: azure:Microsoft.Fake/stores\n    properties: { name: a, location: b, properties: { teir: Hot } }\n",
      {
        facts: (type) => factsIn(shard, type.replace("azure:", "")),
        types: () => [],
        openProviders: new Set(),
      },
    );
    expect(diagnostics).toMatchObject([
      {
        severity: "error",
        code: "unknown_property",
        line: 4,
        column: 55,
        hint: 'Did you mean "tier"?',
      },
    ]);
  });
});

describe("Google Cloud", () => {
  const facts = async (place: string, type: string) =>
    factsIn(await shardOf(place, "gcp/fake.json"), type);

  it("has what its collections create, of the newest stable version, from a folder", async () => {
    const folder = await folderWith({
      "fake-v1.json": discovery("v1"),
      "fake-v2.json": discovery("v2"),
      "fake-v3beta1.json": discovery("v3beta1"),
    });
    const place = path.join(directory, "gcp-folder");
    await makeCatalogue("gcp", { folder, directory: place });
    const instance = await facts(place, "fake/Instance");
    expect(instance).toMatchObject({
      immutable: ["name", "parent", "instanceId"],
      readOnly: ["state", "host"],
      shown: ["name", "labels"],
    });
    const { properties = {} } = instance?.shape ?? {};
    expect(properties).toHaveProperty("second");
    expect(properties).not.toHaveProperty("validateOnly");
    expect(properties["size"]).toEqual({});
    expect(properties["mode"]).toEqual({ enum: ["FAST", "SLOW"], type: "string" });
    expect(properties["disks"]?.items?.object?.properties["gb"]).toEqual({ type: "integer" });
    expect((await facts(place, "fake/Key"))?.shape?.properties).toEqual({
      bits: { type: "integer" },
      keyId: { type: "string" },
    });
  });

  it("is downloaded", async () => {
    const place = path.join(directory, "gcp-web");
    await makeCatalogue("gcp", { origin: `${origin}/gcp`, directory: place });
    expect(await facts(place, "fake/Instance")).toBeDefined();
    expect(asked).toContain("/gcp/apis?preferred=true");
  });
});

describe("a catalogue that cannot be made", () => {
  it.for([
    ["azure", { "a.json": "{ broken" }, "is not JSON"],
    ["azure", { "a.json": { any: "thing" } }, "no description of a type of azure"],
    ["gcp", {}, "no description of a type of gcp"],
    ["oci", {}, "Usage"],
    ["aws", {}, "is made by `npm start`"],
  ] as const)("of %s says why, and leaves what there was: %o", async ([provider, files, why]) => {
    const place = path.join(directory, "kept");
    await mkdir(path.join(place, provider), { recursive: true });
    await writeFile(path.join(place, provider, "index.json"), "{}");
    const made = makeCatalogue(provider, { folder: await folderWith(files), directory: place });
    await expect(made).rejects.toThrow(why);
    expect(await readdir(path.join(place, provider))).toEqual(["index.json"]);
  });

  it("names the file that could not be downloaded", async () => {
    await expect(
      makeCatalogue("azure", { origin: `${origin}/nothing`, directory }),
    ).rejects.toThrow("/nothing/index.json could not be downloaded: it was answered with 404");
  });
});

describe("AWS", () => {
  it("is made again, with the same bytes, if its stamp differs, and then not again", async () => {
    const place = path.join(directory, "aws");
    await mkdir(path.join(place, "aws"), { recursive: true });
    await writeFile(path.join(place, "aws/index.json"), JSON.stringify({ stamp: "older" }));
    expect(await ensureAwsCatalogue(place)).toBe(true);
    expect(await ensureAwsCatalogue(place)).toBe(false);
    const files = await readdir(path.join(place, "aws"));
    expect(files.length).toBeGreaterThan(250);
    let bytes = 0;
    for (const file of files) {
      const content = await readFile(path.join(place, "aws", file));
      // The files that another process made before these tests.
      expect(content.equals(await readFile(path.join(catalogueDirectory, "aws", file)))).toBe(true);
      bytes += content.length;
    }
    expect(bytes).toBeLessThan(2.5 * 1024 * 1024);
    const bucket = factsIn(await shardOf(place, "aws/s3.json"), "AWS::S3::Bucket");
    expect(bucket).toMatchObject({ identifier: ["BucketName"], shown: ["BucketName", "Tags"] });
    expect(bucket?.immutable).toContain("BucketName");
    expect(bucket?.readOnly).toContain("Arn");
  });
});

describe("shards that several processes write at once", () => {
  it("are all of one of them", async () => {
    const place = path.join(directory, "at-once");
    const written = (stamp: string) =>
      shardFiles(new Map([[stamp, new ShardBuilder()]]), { stamp, complete: true });
    const stamps = Array.from({ length: 8 }, (_, index) => `s${index}`);
    await Promise.all(stamps.map((stamp) => writeShards("aws", written(stamp), place)));
    const stamp = await stampOn("aws", place);
    expect(stamps).toContain(stamp);
    expect((await readdir(path.join(place, "aws"))).toSorted()).toEqual(
      ["index.json", `${stamp}.json`].toSorted(),
    );
    expect(await readdir(path.join(place, ".."))).not.toContainEqual(
      expect.stringMatching(/^\.cat/),
    );
  });
});
