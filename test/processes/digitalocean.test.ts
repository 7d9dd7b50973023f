/**
 * The examples at a fake DigitalOcean, by a service that is killed with -9 in its runs: three tiers deployed, their
 * database resized in place, destroyed; a Droplet in a VPC that was there before. The cloud's ledger shows nothing doubled, lost or left behind.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  type DigitaloceanCloud,
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { FakeObject } from "#test/support/fake-cloud/rules.ts";
import type { Deployment, Named, Resource } from "../../scripts/client.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { type ServedCloud, serveFakeCloud } from "../../scripts/serve-fake-cloud.ts";
import { setUpTenant, type Tenant } from "../../scripts/tenant-setup.ts";
import { Random } from "../simulation/random.ts";
import { countFor, partOf, testSeed } from "../support/depth.ts";
import { localService } from "./local-service.ts";
import { pause } from "./pause.ts";
import {
  cleanUp,
  killHard,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";

const KILLS = countFor({ ordinary: 1, deep: 5 });
const READY_AFTER_MS = 300;
const LATENCY_MS = 30;
/** What the example makes, besides its database's firewall. */
const OBJECTS = 10;
/** A kill follows at most so many changes after the one before it. */
const MAX_CHANGES = 3;
/** A create whose request may still be on its way is looked for during a minute. */
const ENDS_WITHIN_MS = 240_000;
/** Runs that end `cannot_tell` about a lost object are deployed again, at most so often. */
const MAX_RUNS = 6;

let directory: string;
let environment: Record<string, string>;
let receiver: Receiver;
let cloud: DigitaloceanCloud;
let served: ServedCloud;
let service: ServiceProcess;
let tenant: Tenant;
let targetId: string;
let instanceId: string;
const random = new Random(testSeed);

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument), {
    readyAfterMs: READY_AFTER_MS,
  });
  served = await serveFakeCloud(cloud.fetch, { latencyMs: LATENCY_MS });
  environment = await localService(directory, { digitalocean: served.url });
});

afterEach(async () => {
  await cleanUp(directory);
  await receiver.close();
  await served.close();
});

async function restart(): Promise<void> {
  for (const { pid } of await treeOf(service.pid)) killHard(pid);
  await service.exited;
  service = await startService(environment);
}

/** A tenant with the token as a secret, which takes another start, and a target with it. */
async function setUp(): Promise<void> {
  service = await startService(environment);
  tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  const { client, tenantId } = tenant;
  const owner = tenantId.replaceAll("-", "").toUpperCase();
  environment[`TARGET_${owner}_DO`] = TOKEN;
  await restart();
  const target = await client.post<Named>("/cloud/targets", {
    provider: "digitalocean",
    name: "shop",
    environment: "sandbox",
    credentialRef: `env://TARGET_${owner}_DO`,
    config: {},
    allowedRegions: ["nyc3"],
    defaultRegion: "nyc3",
  });
  targetId = target.id;
}

/** An instance of the example, which the operations are of from now on. */
async function instantiate(example: string, variables: Record<string, string> = {}): Promise<void> {
  const { client } = tenant;
  const source = await readFile(path.join(projectRoot, `examples/${example}.yaml`), "utf8");
  const template = await client.post<Named>("/templates", { name: example, source });
  const instance = await client.post<Named>("/instances", {
    name: "shop",
    templateId: template.id,
    targetId,
    variables,
  });
  instanceId = instance.id;
}

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

/** The answer; undefined while the service is killed. */
async function whileUp<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function untilEnded(id: string): Promise<Deployment> {
  const until = performance.now() + ENDS_WITHIN_MS;
  for (;;) {
    const deployment = await whileUp(tenant.client.get<Deployment>(`/deployments/${id}`));
    if (deployment && !["QUEUED", "PLANNING", "APPLYING", "CANCELING"].includes(deployment.state))
      return deployment;
    if (performance.now() > until) {
      const log = await tenant.client.get(`/deployments/${id}/log`);
      throw new Error(`The deployment has not ended: ${JSON.stringify(log)}`);
    }
    await pause(200);
  }
}

/** Kills the service after some of the run's changes, each time before the cloud has answered. */
async function withKills(kills: number, run: Promise<Deployment>): Promise<Deployment> {
  const seen = { end: false };
  const over = run.finally(() => {
    seen.end = true;
  });
  for (let kill = 0; kill < kills && !seen.end; kill += 1) {
    const moment = Promise.withResolvers<void>();
    let left = 1 + random.below(MAX_CHANGES);
    cloud.fake.afterChange = () => {
      left -= 1;
      if (left === 0) moment.resolve();
    };
    await Promise.race([moment.promise, over]);
    if (!seen.end) await restart();
  }
  cloud.fake.afterChange = () => {};
  return over;
}

/**
 * The operation, until it succeeds. Where nothing proves whose an object is (a domain, a record), a kill in its create
 * ends the run with `cannot_tell`; then this does what the error says, and asks again.
 */
async function toSuccess(operation: "deploy" | "destroy", kills: number): Promise<Deployment> {
  for (let run = 1; run <= MAX_RUNS; run += 1) {
    const { id } = await tenant.client.post<Deployment>(`/instances/${instanceId}/${operation}`);
    const ended = await withKills(run === 1 ? kills : 0, untilEnded(id));
    if (ended.state === "SUCCEEDED") return ended;
    expect(ended).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    await removeUnknown();
  }
  throw new Error("The runs do not succeed.");
}

/** Deletes at the cloud what the instance does not know, as a person would. */
async function removeUnknown(): Promise<void> {
  const { data } = await tenant.client.get<{ data: (Resource & { state: string })[] }>(
    `/instances/${instanceId}/resources`,
  );
  const known = new Set(data.flatMap(({ id, state }) => (state === "LOST" ? [] : [id])));
  for (const object of cloud.fake.living()) if (!known.has(object.key)) cloud.fake.remove(object);
}

/** Every object was made once; of each that is gone, one at most was there at a time. */
function expectNoDoubles(ledger: readonly FakeLedgerEntry[]): void {
  const living = new Map<string, string>();
  for (const { verb, collection, key, name } of ledger) {
    const place = `${collection} ${name}`;
    if (verb === "create") {
      expect(living.has(place), `${place} is doubled`).toBe(false);
      living.set(place, key);
    }
    if (verb === "delete") living.delete(place);
  }
}

/** At the cloud is this alone, and it was served as its description says. */
function expectToHold(objects: readonly string[]): void {
  expect(cloud.fake.living().map(({ collection, key }) => `${collection} ${key}`)).toEqual(objects);
  expectNoDoubles(cloud.fake.ledger);
  expect(cloud.violations).toEqual([]);
  expect(receiver.refused).toEqual([]);
}

/** An ordinary run in four takes it: it needs several starts of the service. */
const runs = partOf(["none", "none", "kills", "none"] as const, 4);

describe.runIf(runs.includes("kills"))(
  `an example at DigitalOcean, by a service killed with -9 ${KILLS} times in each run`,
  () => {
    it("in three tiers is deployed, resized in place and destroyed, with nothing doubled, lost or left", async () => {
      await setUp();
      await instantiate("digitalocean-three-tier");
      await toSuccess("deploy", KILLS);
      expect(cloud.fake.living()).toHaveLength(OBJECTS);
      expectNoDoubles(cloud.fake.ledger);

      const [database] = cloud.fake.living("/v2/databases");
      await tenant.client.patch(`/instances/${instanceId}`, {
        variables: { databaseSize: "db-s-2vcpu-4gb" },
      });
      const before = cloud.fake.ledger.length;
      const resized = await toSuccess("deploy", 0);
      expect(resized.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0 });
      expect(cloud.fake.ledger.slice(before)).toMatchObject([
        { verb: "update", by: `PUT /v2/databases/${database?.key}/resize` },
      ]);
      expect(cloud.fake.living("/v2/databases")[0]).toMatchObject({
        key: database?.key,
        shown: { size: "db-s-2vcpu-4gb", status: "online" },
      });

      await toSuccess("destroy", KILLS);
      expectToHold([]);
    }, 900_000);

    it("is deployed into a VPC that exists, which stays as it is when all else is destroyed", async () => {
      await setUp();
      const vpc = await makeByHand("/v2/vpcs", {
        name: "office",
        region: "nyc3",
        ip_range: "10.99.0.0/24",
      });
      const before = structuredClone(vpc);
      await instantiate("digitalocean-existing-network", { networkId: vpc.key });
      await toSuccess("deploy", KILLS);
      const { outputs } = await tenant.client.get<{ outputs: object }>(`/instances/${instanceId}`);
      const [droplet] = cloud.fake.living("/v2/droplets");
      expect(outputs).toEqual({ network: "office", droplet: Number(droplet?.key) });
      expect(droplet?.shown).toMatchObject({ vpc_uuid: vpc.key });
      expect(cloud.fake.living("/v2/firewalls")[0]?.shown).toMatchObject({
        inbound_rules: [{ sources: { addresses: ["10.99.0.0/24"] } }],
      });
      await toSuccess("destroy", KILLS);
      expectToHold([`/v2/vpcs ${vpc.key}`]);
      expect(cloud.fake.living("/v2/vpcs")).toEqual([before]);
    }, 900_000);
  },
);
