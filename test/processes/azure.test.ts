/**
 * The example at a fake Azure, by a service that is killed with -9 in its runs: deployed, its database resized in place,
 * destroyed. The cloud's ledger shows nothing doubled, lost or left behind, and no secret of it stands in an answer.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ArmCloud,
  CLIENT_ID,
  CLIENT_SECRET,
  REGION,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { Deployment, Named } from "../../scripts/client.ts";
import { freePort } from "../../scripts/port.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { type ServedCloud, serveFakeCloud } from "../../scripts/serve-fake-cloud.ts";
import { setUpTenant, type Tenant } from "../../scripts/tenant-setup.ts";
import { Random } from "../simulation/random.ts";
import { countFor, partOf, testSeed } from "../support/depth.ts";
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
const OBJECTS = 13;
const SERVERS = "Microsoft.DBforPostgreSQL/flexibleServers";
const PASSWORD = "canary-password-of-the-database";
/** A kill follows at most so many changes after the one before it. */
const MAX_CHANGES = 3;
/** A create whose request may still be on its way is looked for during a minute. */
const ENDS_WITHIN_MS = 240_000;

let directory: string;
let environment: Record<string, string>;
let receiver: Receiver;
let cloud: ArmCloud;
let served: ServedCloud;
let service: ServiceProcess;
let tenant: Tenant;
let instanceId: string;
const random = new Random(testSeed);

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  cloud = new ArmCloud({ readyAfterMs: READY_AFTER_MS });
  served = await serveFakeCloud(cloud.fetch, { latencyMs: LATENCY_MS });
  environment = {
    STATE_DIR: path.join(directory, "state"),
    DEV_VARS_FILE: path.join(directory, "dev.vars"),
    PORT: String(await freePort()),
    STALL_SECONDS: "1",
    RATE_LIMITS: "off",
    DEV_IDP: "off",
    PROVIDER_ENDPOINTS: JSON.stringify({ azure: served.url }),
  };
});

afterEach(async () => {
  await cleanUp(directory);
  await receiver.close();
  await served.close();
});

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function restart(): Promise<void> {
  for (const { pid } of await treeOf(service.pid)) killHard(pid);
  await service.exited;
  service = await startService(environment);
}

/** A tenant with the token as a secret, which takes another start; an instance of the example. */
async function setUp(): Promise<void> {
  service = await startService(environment);
  tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  const { client, tenantId } = tenant;
  const owner = tenantId.replaceAll("-", "").toUpperCase();
  environment[`TARGET_${owner}_AZURE`] = CLIENT_SECRET;
  await restart();
  const target = await client.post<Named>("/cloud/targets", {
    provider: "azure",
    name: "shop",
    environment: "sandbox",
    credentialRef: `env://TARGET_${owner}_AZURE`,
    config: { subscriptionId: SUBSCRIPTION, tenantId: TENANT_ID, clientId: CLIENT_ID },
    allowedRegions: [REGION],
    defaultRegion: REGION,
  });
  const source = await readFile(path.join(projectRoot, "examples/azure-service.yaml"), "utf8");
  const template = await client.post<Named>("/templates", { name: "service", source });
  const instance = await client.post<Named>("/instances", {
    name: "shop",
    templateId: template.id,
    targetId: target.id,
    variables: { databasePassword: PASSWORD },
  });
  instanceId = instance.id;
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
    cloud.afterChange = () => {
      left -= 1;
      if (left === 0) moment.resolve();
    };
    await Promise.race([moment.promise, over]);
    if (!seen.end) await restart();
  }
  cloud.afterChange = () => {};
  return over;
}

/** The operation, which no kill keeps from its end. */
async function toSuccess(operation: "deploy" | "destroy", kills: number): Promise<Deployment> {
  const { id } = await tenant.client.post<Deployment>(`/instances/${instanceId}/${operation}`);
  const ended = await withKills(kills, untilEnded(id));
  expect(ended, JSON.stringify(ended.error)).toMatchObject({ state: "SUCCEEDED" });
  return ended;
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

/** Nothing that the service tells has a secret of the example, of Azure or of the sign-in. */
async function expectNoSecrets(): Promise<void> {
  const { client } = tenant;
  const { data } = await client.get<{ data: Named[] }>(`/deployments?instanceId=${instanceId}`);
  const told = await Promise.all([
    client.get(`/instances/${instanceId}`),
    client.get(`/instances/${instanceId}/resources`),
    ...data.flatMap(({ id }) => [
      client.get(`/deployments/${id}`),
      client.get(`/deployments/${id}/log`),
    ]),
  ]);
  expect(JSON.stringify(told)).not.toContain("canary");
}

/** An ordinary run in four takes it: it needs several starts of the service. */
const runs = partOf(["none", "none", "kills", "none"] as const, 4);

describe.runIf(runs.includes("kills"))(
  `the example at Azure, by a service killed with -9 ${KILLS} times in each run`,
  () => {
    it("is deployed, resized in place and destroyed, with nothing doubled, lost or left", async () => {
      await setUp();
      await toSuccess("deploy", KILLS);
      expect(cloud.living()).toHaveLength(OBJECTS);
      expectNoDoubles(cloud.ledger);
      await expectNoSecrets();

      const [server] = cloud.living(SERVERS);
      await tenant.client.patch(`/instances/${instanceId}`, {
        variables: { databasePassword: PASSWORD, databaseSize: "Standard_B2s" },
      });
      const before = cloud.ledger.length;
      const resized = await toSuccess("deploy", 0);
      // The plan cannot know that the server keeps its address, so its users are in it too, and then left alone.
      expect(resized.summary).toMatchObject({ create: 0, update: 3, replace: 0, delete: 0 });
      expect(cloud.ledger.slice(before)).toMatchObject([{ verb: "update", key: server?.key }]);

      await toSuccess("destroy", KILLS);
      expect(cloud.living().map(({ id }) => id)).toEqual([]);
      expectNoDoubles(cloud.ledger);
      expect(cloud.violations).toEqual([]);
      expect(receiver.refused).toEqual([]);
    }, 900_000);
  },
);
