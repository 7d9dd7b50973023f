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
import { projectRoot } from "../../scripts/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { type ServedCloud, serveFakeCloud } from "../../scripts/serve-fake-cloud.ts";
import { setUpTenant, type Tenant } from "../../scripts/tenant-setup.ts";
import { Random } from "../simulation/random.ts";
import { countFor, testSeed } from "../support/depth.ts";
import { TokenService } from "../support/token-service.ts";
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

type Way = "a client secret" | "no stored credential";

interface FederatedTarget extends Named {
  identity: { issuer: string; trust: { policy: { subject: string } } } | null;
}

const KILLS = countFor({ ordinary: 0, deep: 5 });
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
/** Decides for the cloud which tokens of the service it trusts. */
let tokens: TokenService;
const random = new Random(testSeed);

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  tokens = tokenService();
  cloud = new ArmCloud({ readyAfterMs: READY_AFTER_MS, trusts });
  served = await serveFakeCloud(cloud.fetch, { latencyMs: LATENCY_MS });
  environment = await localService(directory, { azure: served.url });
});

afterEach(async () => {
  await cleanUp(directory);
  await receiver.close();
  await served.close();
});

/** Reads the issuer's documents once, as clouds do: the service may be down when a token comes. */
function tokenService(): TokenService {
  const documents = new Map<string, { status: number; body: unknown }>();
  const trust = { issuer: "", audience: "api://AzureADTokenExchange", subject: "" };
  return new TokenService("azure", trust, async (at) => {
    const known = documents.get(at);
    if (known !== undefined) return known;
    const answer = await fetch(new URL(at, service.address));
    const document = { status: answer.status, body: await answer.json() };
    documents.set(at, document);
    return document;
  });
}

async function trusts(assertion: string): Promise<string | undefined> {
  tokens.seen.push(assertion);
  try {
    await tokens.verify(assertion);
    return undefined;
  } catch (error) {
    return `70021 No matching federated identity record found: ${(error as Error).message}`;
  }
}

async function restart(): Promise<void> {
  for (const { pid } of await treeOf(service.pid)) killHard(pid);
  await service.exited;
  service = await startService(environment);
}

/** The reference to the client secret as a secret of the service, which takes another start. */
async function storeSecret(): Promise<{ credentialRef: string }> {
  const name = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_AZURE`;
  environment[name] = CLIENT_SECRET;
  await restart();
  return { credentialRef: `env://${name}` };
}

/** An instance of the example at a target with or without a stored credential. */
async function setUp(way: Way): Promise<void> {
  service = await startService(environment);
  tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  const { client } = tenant;
  const target = await client.post<FederatedTarget>("/cloud/targets", {
    provider: "azure",
    name: "shop",
    environment: "sandbox",
    ...(way === "a client secret" ? await storeSecret() : {}),
    config: { subscriptionId: SUBSCRIPTION, tenantId: TENANT_ID, clientId: CLIENT_ID },
    allowedRegions: [REGION],
    defaultRegion: REGION,
  });
  if (target.identity !== null) {
    // As its owner would set it up at Azure, by what the target shows.
    const { issuer, trust } = target.identity;
    Object.assign(tokens.trust, { issuer, subject: trust.policy.subject });
  }
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
  const text = JSON.stringify(told);
  expect(text).not.toContain("canary");
  for (const token of tokens.seen)
    for (const part of token.split(".")) expect(text).not.toContain(part.slice(0, 24));
}

describe.for<Way>(["a client secret", "no stored credential"])(
  `the example at Azure with %s, by a service killed with -9 ${KILLS} times in each run`,
  (way) => {
    it.runIf(KILLS > 0)(
      "is deployed, resized in place and destroyed, with nothing doubled, lost or left",
      async () => {
        await setUp(way);
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
        // Each way signs in as it is meant to.
        const federates = way === "no stored credential";
        expect(cloud.signIns.every((form) => form.has("client_assertion") === federates)).toBe(
          true,
        );
        expect(cloud.signIns.length).toBeGreaterThan(0);
      },
      900_000,
    );
  },
);
