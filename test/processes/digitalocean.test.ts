/**
 * The examples at a fake DigitalOcean, by a service that is killed with -9 in its runs: three tiers deployed, their
 * database resized in place, destroyed; a Droplet in a VPC that was there before. The cloud's ledger shows nothing doubled, lost or left behind.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import type { DescribedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import type { FakeObject } from "#test/support/fake-cloud/rules.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { countFor, testSeed } from "../support/depth.ts";
import type { RealCloud } from "../support/fake-cloud/real/behaviour.ts";
import { realClouds } from "../support/fake-cloud/real/real-clouds.ts";
import { RealProfile } from "../support/fake-cloud/real/real-profile.ts";
import { KilledExample } from "./killed-example.ts";
import { longScenes } from "./long-scenes.ts";

const KILLS = countFor({ ordinary: 1, deep: 5 });
const READY_AFTER_MS = 300;
/** What the example makes, besides its database's firewall. */
const OBJECTS = 10;

let cloud: DescribedCloud;
/** In front of the cloud. Undefined: it obeys. */
let real: RealProfile | undefined;
let targetId: string;
let example: KilledExample;

beforeEach(async () => {
  cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument), {
    readyAfterMs: READY_AFTER_MS,
  });
  example = await KilledExample.start({
    provider: "digitalocean",
    region: "nyc3",
    fetch: (request) => (real ?? cloud).fetch(request),
    watch: (changed) => {
      cloud.fake.afterChange = changed;
    },
    // Nothing proves whose a domain or a record is.
    removeOthers: (known) => {
      // The service's id of a database is `{cluster}/{name}`; the cloud's key is the name alone.
      const keys = new Set([...known].map((id) => id.slice(id.lastIndexOf("/") + 1)));
      for (const object of cloud.fake.living())
        if (!keys.has(object.key)) cloud.fake.remove(object);
    },
  });
  const credentialRef = await example.storeCredential(TOKEN);
  ({ id: targetId } = await example.addTarget({ credentialRef, config: {} }));
});

afterEach(async () => {
  real = undefined;
  await example.close();
});

/** What a person has made at the cloud, with its tool. */
async function makeByHand(path: string, body: object): Promise<FakeObject> {
  const answer = await cloud.fetch(
    new Request(`http://digitalocean.invalid${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  expect(answer.status).toBe(201);
  return cloud.fake.living(path)[0] as FakeObject;
}

/** At the cloud is this alone, and it was served as its description says. */
function expectToHold(objects: readonly string[]): void {
  expect(cloud.fake.living().map(({ collection, key }) => `${collection} ${key}`)).toEqual(objects);
  expect(doubledNames(cloud.fake.ledger)).toEqual([]);
  expect(cloud.violations).toEqual([]);
  expect(example.receiver.refused).toEqual([]);
}

describe(`an example at DigitalOcean, by a service killed with -9 ${KILLS} times in each run`, () => {
  it.runIf(longScenes.includes("DigitalOcean's example killed"))(
    "in three tiers is deployed, resized in place and destroyed, with nothing doubled, lost or left",
    async () => {
      await example.instantiate("digitalocean-three-tier", targetId, { domain: "shop.example" });
      await example.toSuccess("deploy", KILLS);
      expect(cloud.fake.living()).toHaveLength(OBJECTS);
      expect(doubledNames(cloud.fake.ledger)).toEqual([]);

      const [database] = cloud.fake.living("/v2/databases");
      await example.setVariables({ databaseSize: "db-s-2vcpu-4gb" });
      const before = cloud.fake.ledger.length;
      const resized = await example.toSuccess("deploy", 0);
      expect(resized.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0 });
      expect(cloud.fake.ledger.slice(before)).toMatchObject([
        { verb: "update", by: `PUT /v2/databases/${database?.key}/resize` },
      ]);
      expect(cloud.fake.living("/v2/databases")[0]).toMatchObject({
        key: database?.key,
        shown: { size: "db-s-2vcpu-4gb", status: "online" },
      });

      await example.toSuccess("destroy", KILLS);
      expectToHold([]);
    },
    900_000,
  );

  // It waits for what the cloud shows late.
  it.runIf(countFor({ ordinary: 0, deep: 1 }) > 0)(
    "in three tiers is deployed and destroyed at a cloud that misbehaves as the real one does",
    async () => {
      const happened: string[] = [];
      const seed = testSeed % 1_000;
      const happens = (what: string) => happened.push(what);
      real = new RealProfile(realClouds["digitalocean"] as RealCloud, cloud.fetch, {
        seed,
        happens,
      });
      await example.instantiate("digitalocean-three-tier", targetId, { domain: "shop.example" });
      await example.toSuccess("deploy", KILLS);
      expect(cloud.fake.living()).toHaveLength(OBJECTS);
      await example.toSuccess("destroy", KILLS);
      expectToHold([]);
      expect(happened).not.toEqual([]);
    },
    900_000,
  );

  it.runIf(longScenes.includes("DigitalOcean's existing network killed"))(
    "is deployed into a VPC that exists, which stays as it is when all else is destroyed",
    async () => {
      const vpc = await makeByHand("/v2/vpcs", {
        name: "office",
        region: "nyc3",
        ip_range: "10.99.0.0/24",
      });
      const before = structuredClone(vpc);
      await example.instantiate("digitalocean-existing-network", targetId, { networkId: vpc.key });
      await example.toSuccess("deploy", KILLS);
      const { outputs } = await example.client.get<{ outputs: object }>(
        `/instances/${example.instanceId}`,
      );
      const [droplet] = cloud.fake.living("/v2/droplets");
      expect(outputs).toEqual({ network: "office", droplet: Number(droplet?.key) });
      expect(droplet?.shown).toMatchObject({ vpc_uuid: vpc.key });
      expect(cloud.fake.living("/v2/firewalls")[0]?.shown).toMatchObject({
        inbound_rules: [{ sources: { addresses: ["10.99.0.0/24"] } }],
      });
      await example.toSuccess("destroy", KILLS);
      expectToHold([`/v2/vpcs ${vpc.key}`]);
      expect(cloud.fake.living("/v2/vpcs")).toEqual([before]);
    },
    900_000,
  );
});
