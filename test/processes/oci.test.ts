/**
 * The example at a fake Oracle Cloud, by a service that is killed with -9 in its runs: deployed, its database resized in place,
 * destroyed. The cloud's ledger shows nothing doubled, lost or left behind, and no secret of it stands in an answer.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ociDefinition } from "#providers/oci/oci-provider.ts";
import { COMPARTMENT, NAMESPACE, OracleCloud, REGION } from "#test/providers/oci/oracle-cloud.ts";
import { API_KEY, KEY_CANARY } from "#test/providers/oci/signatures.ts";
import type { FakeLedgerEntry } from "#test/support/fake-cloud/fake-cloud.ts";
import type { Deployment, Named, Resource } from "../../scripts/client.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { type ServedCloud, serveFakeCloud } from "../../scripts/serve-fake-cloud.ts";
import { setUpTenant, type Tenant } from "../../scripts/tenant-setup.ts";
import { Random } from "../simulation/random.ts";
import { countFor, testSeed } from "../support/depth.ts";
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

/** An ordinary run takes nothing of this: it takes minutes. */
const KILLS = countFor({ ordinary: 0, deep: 5 });
const READY_AFTER_MS = 300;
const LATENCY_MS = 30;
/** What the example makes, besides its rules and its record. */
const OBJECTS = 9;
const RULES = 3;
const secrets = {
  databasePassword: "canary-password-of-the-database",
  certificate: "the certificate",
  certificateKey: "canary-key-of-the-certificate",
};
/** A kill follows at most so many changes after the one before it. */
const MAX_CHANGES = 3;
/** A create whose request may still be on its way is looked for during a minute. */
const ENDS_WITHIN_MS = 240_000;
/** Runs that end `cannot_tell` about a lost object are deployed again, at most so often. */
const MAX_RUNS = 6;

let directory: string;
let environment: Record<string, string>;
let receiver: Receiver;
let cloud: OracleCloud;
let served: ServedCloud;
let service: ServiceProcess;
let tenant: Tenant;
let instanceId: string;
const random = new Random(testSeed);

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  cloud = new OracleCloud({ readyAfterMs: READY_AFTER_MS });
  served = await serveFakeCloud(cloud.fetch, { latencyMs: LATENCY_MS });
  const hosts = Object.keys(ociDefinition().hosts ?? {});
  const endpoints = Object.fromEntries(hosts.map((name) => [name, `${served.url}/${name}`]));
  environment = await localService(directory, { oci: endpoints });
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

/** A tenant with the token as a secret, which takes another start; an instance of the example. */
async function setUp(): Promise<void> {
  service = await startService(environment);
  tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  const { client, tenantId } = tenant;
  const owner = tenantId.replaceAll("-", "").toUpperCase();
  environment[`TARGET_${owner}_OCI`] = JSON.stringify(API_KEY);
  await restart();
  const target = await client.post<Named>("/cloud/targets", {
    provider: "oci",
    name: "shop",
    environment: "sandbox",
    credentialRef: `env://TARGET_${owner}_OCI`,
    config: { compartmentId: COMPARTMENT, namespace: NAMESPACE },
    allowedRegions: [REGION],
    defaultRegion: REGION,
  });
  const source = await readFile(path.join(projectRoot, "examples/oci-service.yaml"), "utf8");
  const template = await client.post<Named>("/templates", { name: "service", source });
  const instance = await client.post<Named>("/instances", {
    name: "shop",
    templateId: template.id,
    targetId: target.id,
    variables: secrets,
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

/**
 * The operation, until it succeeds. Nothing proves whose a record is: a kill in its create ends
 * the run with `cannot_tell`; then this does what the error says, and asks again.
 */
async function toSuccess(operation: "deploy" | "destroy", kills: number): Promise<Deployment> {
  for (let run = 1; run <= MAX_RUNS; run += 1) {
    const { id } = await tenant.client.post<Deployment>(`/instances/${instanceId}/${operation}`);
    const ended = await withKills(run === 1 ? kills : 0, untilEnded(id));
    if (ended.state === "SUCCEEDED") return ended;
    expect(ended, JSON.stringify(ended.error)).toMatchObject({ error: { code: "cannot_tell" } });
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
  for (const key of cloud.records.keys())
    if (!known.has(key.replace("/20180115/zones/", ""))) cloud.records.delete(key);
}

/** Rules of all groups, and records. */
function parts(): number[] {
  return [[...cloud.rules.values()].flat().length, cloud.records.size];
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

/** Nothing that the service tells has a secret of the example or of the API key. */
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
  expect(JSON.stringify(told)).not.toContain(KEY_CANARY);
}

describe.runIf(KILLS > 0)(
  `the example at Oracle Cloud, by a service killed with -9 ${KILLS} times in each run`,
  () => {
    it("is deployed, resized in place and destroyed, with nothing doubled, lost or left", async () => {
      await setUp();
      await toSuccess("deploy", KILLS);
      expect(cloud.living()).toHaveLength(OBJECTS);
      expect(parts()).toEqual([RULES, 1]);
      expectNoDoubles(cloud.ledger);
      await expectNoSecrets();

      const [server] = cloud.living("DbSystem");
      await tenant.client.patch(`/instances/${instanceId}`, {
        variables: { ...secrets, databaseCpus: 4 },
      });
      const before = cloud.ledger.length;
      const resized = await toSuccess("deploy", 0);
      expect(resized.summary).toMatchObject({ create: 0, replace: 0, delete: 0 });
      expect(cloud.ledger.slice(before)).toMatchObject([{ verb: "update", key: server?.id }]);

      await toSuccess("destroy", KILLS);
      expect(cloud.living().map(({ id }) => id)).toEqual([]);
      expect(parts()).toEqual([0, 0]);
      expectNoDoubles(cloud.ledger);
      expect(cloud.violations).toEqual([]);
      expect(receiver.refused).toEqual([]);
    }, 900_000);
  },
);
