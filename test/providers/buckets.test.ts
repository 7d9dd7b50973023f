/** Buckets of clouds whose object storage speaks S3: the conformance, and what S3 alone does. */
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { digitaloceanProvider } from "#providers/digitalocean/digitalocean-provider.ts";
import { magaluProvider } from "#providers/magalu/magalu-provider.ts";
import type { Outcome } from "#providers/provider.ts";
import {
  BUCKET_KEYS,
  BUCKETS,
  FakeBuckets,
  type FakeBucketsOptions,
} from "#test/support/fake-cloud/fake-buckets.ts";
import { conformanceCloud, foreignName } from "./conformance-cloud.ts";
import { NAME, type Refusal } from "./conformance-subject.ts";
import { CREDENTIAL as SPACES } from "./digitalocean/digitalocean-cloud.ts";
import { CREDENTIAL as MAGALU } from "./magalu/magalu-cloud.ts";
import { providerConformance } from "./provider-conformance.ts";
import { untilFinal } from "./type-cycle.ts";

const clouds = [
  {
    type: "digitalocean:SpacesBucket",
    provider: digitaloceanProvider(),
    region: "nyc3",
    credential: SPACES,
    without: { token: SPACES.token },
    host: "nyc3.digitaloceanspaces.com",
  },
  {
    type: "magalu:Bucket",
    provider: magaluProvider(),
    region: "br-ne1",
    credential: MAGALU,
    without: MAGALU.apiKey,
    host: "br-ne1.magaluobjects.com",
  },
] as const;

const said = (Code: string): JsonMap => ({ Code, Message: "UnknownError" });
const refusals: readonly Refusal[] = [
  { on: "create", status: 409, body: said("BucketAlreadyExists"), means: "exists" },
  { on: "create", status: 400, body: said("TooManyBuckets"), means: "quota" },
  { on: "create", status: 403, body: said("InvalidAccessKeyId"), means: "denied" },
  { on: "create", status: 503, body: said("SlowDown"), means: "throttled" },
  { on: "create", status: 409, body: said("OperationAborted"), means: "busy" },
  { on: "update", status: 400, body: said("MalformedXML"), means: "invalid" },
  { on: "delete", status: 409, body: said("BucketNotEmpty"), means: "invalid" },
  { on: "delete", status: 404, body: said("NoSuchBucket"), means: "gone" },
  { on: "read", status: 404, body: said("NoSuchKey"), means: "invalid" },
];

for (const { type, provider, region, credential, without, host } of clouds) {
  const contextOf = (buckets: FakeBuckets, more: JsonMap = {}) => ({
    targetId: "target-1",
    region,
    config: {},
    credential,
    fetch: buckets.fetch,
    now: () => Date.now(),
    ...more,
  });

  describe(`the conformance of ${type}`, () => {
    providerConformance({
      type,
      provider,
      properties: (name) => ({ region, name }),
      changed: (name) => ({ region, name, versioning: true }),
      immutableChanged: (name) => ({ region, name: `${name}-2` }),
      missingId: `${region}/${NAME}`,
      uniqueNames: true,
      readyAtOnce: true,
      refusals,
      cloud: (script) =>
        conformanceCloud(BUCKETS, script, (options: FakeBucketsOptions) => {
          const buckets = new FakeBuckets(options);
          return {
            context: (more) => ({ ...contextOf(buckets), now: options.now ?? Date.now, ...more }),
            fetch: buckets.fetch,
            living: () => buckets.living(),
            finish: () => undefined,
            put: (name, at) => buckets.put(region, foreignName(name, at, true)),
          };
        }),
    });
  });

  describe(`a bucket of the type ${type}`, () => {
    const call = { type, name: "chosen-1", token: "t-1" };
    const files = { region, name: "shop-files", versioning: true };
    const id = `${region}/shop-files`;
    const make = async (buckets: FakeBuckets, properties: JsonMap): Promise<Outcome> => {
      const of = { ...call, properties };
      const started = await provider.create(contextOf(buckets), of);
      return untilFinal(provider, contextOf(buckets), started, { ...of, verb: "create" });
    };

    it("is reached in the region of the bucket, whatever the target's is", async () => {
      const buckets = new FakeBuckets();
      const started = await provider.create(contextOf(buckets, { region: "elsewhere" }), {
        ...call,
        properties: files,
      });
      expect(started).toMatchObject({ kind: "pending", id });
      expect(buckets.living()).toEqual([id]);
      expect(buckets.requests).toEqual([`GET ${host}/`, `PUT ${host}/shop-files`]);
    });

    it("is not made under a name that another customer has", async () => {
      const buckets = new FakeBuckets();
      buckets.put(region, "shop-files", true);
      expect(await make(buckets, files)).toMatchObject({
        kind: "failed",
        code: "BucketAlreadyExists",
        means: "exists",
        message: expect.stringContaining("choose another one"),
      });
      expect(await provider.read(contextOf(buckets), { type, id, properties: {} })).toMatchObject({
        kind: "failed",
        means: "denied",
      });
    });

    it("gets the settings that a stopped run did not set", async () => {
      const buckets = new FakeBuckets();
      const of = { ...call, properties: files };
      const sentMs = Date.now();
      await provider.create(contextOf(buckets), of);
      const found = await provider.lookUp(contextOf(buckets), { ...of, known: [], sentMs });
      const made = await untilFinal(provider, contextOf(buckets), found, { ...of, verb: "create" });
      expect(made).toMatchObject({ kind: "done", id, outputs: { versioning: true } });
      const changes = buckets.ledger.map(({ by }) => by);
      expect(changes).toEqual(["PUT /shop-files", "PUT /shop-files?versioning"]);
    });

    it("of an unknown age is nobody's, unless the engine chose its name", async () => {
      const buckets = new FakeBuckets({ now: () => Date.now() - 20_000 });
      buckets.put(region, "shop-files");
      buckets.put(region, "chosen-1");
      // The cloud does not say what time it is there.
      const fetch = async (request: Request): Promise<Response> => {
        const { body, status, headers } = await buckets.fetch(request);
        const { date: _, ...others } = Object.fromEntries(headers.entries());
        return new Response(body, { status, headers: others });
      };
      const context = { ...contextOf(buckets), fetch };
      const look = { ...call, known: [], sentMs: Date.now() };
      expect(await provider.lookUp(context, { ...look, properties: files })).toMatchObject({
        code: "cannot_tell",
        unknownOutcome: true,
      });
      expect(await provider.lookUp(context, { ...look, properties: { region } })).toMatchObject({
        kind: "pending",
        id: `${region}/chosen-1`,
      });
    });

    it("that is not empty stays, and the error says what to do", async () => {
      const buckets = new FakeBuckets();
      await make(buckets, files);
      buckets.fill(id);
      const kept = await provider.delete(contextOf(buckets), { ...call, id, properties: files });
      expect(kept).toMatchObject({ kind: "failed", means: "invalid", retryable: false });
      expect(kept).toHaveProperty("message", expect.stringContaining("Delete what is in"));
      expect(buckets.living()).toEqual([id]);
    });

    it("loses a setting that leaves the template, and keeps those that were never in it", async () => {
      const buckets = new FakeBuckets();
      const cors_rules = [{ allowed_methods: ["GET"], allowed_origins: ["*"] }];
      const policy = { Version: "2012-10-17", Statement: [] };
      await make(buckets, { ...files, cors_rules, policy });
      const before = { ...files, cors_rules };
      const { versioning: _, ...properties } = files;
      const update = { ...call, id, before, properties };
      const changed = await provider.update(contextOf(buckets), update);
      expect(changed).toMatchObject({ kind: "done", outputs: { versioning: false, policy } });
      expect(changed).not.toHaveProperty("outputs.cors_rules");
    });

    it("has no setting that the cloud does not implement", async () => {
      const buckets = new FakeBuckets();
      await make(buckets, files);
      buckets.script({
        on: "read",
        effect: "before",
        status: 501,
        times: 9,
        body: said("NotImplemented"),
      });
      expect(await provider.read(contextOf(buckets), { type, id, properties: {} })).toMatchObject({
        kind: "done",
        outputs: { id, versioning: false },
      });
    });

    it("needs an access key, which a check of the template tells", async () => {
      const buckets = new FakeBuckets();
      const context = contextOf(buckets, { credential: without });
      const refused = await provider.create(context, { ...call, properties: files });
      expect(refused).toMatchObject({ kind: "failed", code: "no_access_key", means: "denied" });
      const vendorType = type.slice(type.indexOf(":") + 1);
      expect(await provider.needs?.(context, new Map([[vendorType, 1]]))).toMatchObject({
        lacks: [{ types: [vendorType], fix: expect.stringContaining("secretAccessKey") }],
        unread: [],
      });
      expect(await provider.needs?.(context, new Map([["Vpc", 1]]))).toBeUndefined();
      expect(
        await provider.needs?.(contextOf(buckets), new Map([[vendorType, 1]])),
      ).toBeUndefined();
      expect(buckets.requests).toEqual([]);
    });

    it("is not called unusable because the access key is missing by now", async () => {
      const buckets = new FakeBuckets();
      const of = { ...call, properties: files };
      const started = await provider.create(contextOf(buckets), of);
      expect(started).toMatchObject({ kind: "pending", id });
      const poll = { ...of, verb: "create", id, handle: { sinceMs: 0 } } as const;
      const polled = await provider.poll(contextOf(buckets, { credential: without }), poll);
      expect(polled).toMatchObject({ kind: "failed", code: "no_access_key", unread: true });
    });

    it.each(["ab", "Shop", "shop/../x", "-shop"])("is not made under the name %s", async (name) => {
      const buckets = new FakeBuckets();
      const refused = await make(buckets, { region, name });
      expect(refused).toMatchObject({ kind: "failed", code: "invalid_name", fault: "user" });
      expect(buckets.requests).toEqual([]);
    });

    it("tells neither key when a call is refused", async () => {
      const buckets = new FakeBuckets();
      const wrong = { ...BUCKET_KEYS, secretAccessKey: "canary-of-a-wrong-secret-0123456789" };
      const key = "spacesAccessKey" in credential ? "spacesAccessKey" : "keyPair";
      const context = contextOf(buckets, { credential: { ...credential, [key]: wrong } });
      const refused = await provider.create(context, { ...call, properties: files });
      expect(refused).toMatchObject({ code: "SignatureDoesNotMatch", means: "denied" });
      expect(JSON.stringify(refused)).not.toContain("canary");
    });
  });
}
