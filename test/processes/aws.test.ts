/**
 * The service example at a fake AWS, by a service that is killed with -9 in its runs: deployed, changed in place,
 * destroyed. AWS's ledger shows nothing doubled, lost or left behind.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { type FakeAws, KEYS } from "#test/providers/aws/fake-aws.ts";
import { Refused } from "#test/providers/aws/fake-control.ts";
import { awsWithZone } from "#test/providers/aws/served-aws.ts";
import type { Deployment, Named, Resource } from "../../scripts/client.ts";
import { freePort } from "../../scripts/port.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver.ts";
import { type ServedCloud, serveFakeCloud } from "../../scripts/serve-fake-cloud.ts";
import { setUpTenant, type Tenant } from "../../scripts/tenant-setup.ts";
import { Random } from "../simulation/random.ts";
import { countFor, testSeed } from "../support/depth.ts";
import { TokenService } from "../support/token-service.ts";
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
const OPERATION_MS = 300;
const ROLE = "arn:aws:iam::123456789012:role/deployer";
const SESSION_SECONDS = 900;
const LATENCY_MS = 30;
/** What the example makes by Cloud Control. */
const OBJECTS = 26;
/** A kill follows at most so many changes after the one before it. */
const MAX_CHANGES = 5;
const ENDS_WITHIN_MS = 240_000;
/** Runs that end `cannot_tell` about a lost record are deployed again, at most so often. */
const MAX_RUNS = 4;

let directory: string;
let environment: Record<string, string>;
let receiver: Receiver;
let aws: FakeAws;
let zoneId: string;
let served: ServedCloud;
let service: ServiceProcess;
let tenant: Tenant;
let instanceId: string;
let output = "";
/** The tokens that were shown to AWS, and the role that accepts them. */
let tokens: string[];
let trust: TokenService;
let afterChange = (): void => {};
const random = new Random(testSeed);

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  tokens = [];
  ({ aws, zoneId } = await awsWithZone({
    operationMs: OPERATION_MS,
    region: "eu-central-1",
    assume: async (_, form) => {
      const token = form.get("WebIdentityToken") ?? "";
      tokens.push(token);
      try {
        await trust.verify(token);
      } catch (error) {
        throw new Refused("InvalidIdentityToken", (error as Error).message);
      }
      return { seconds: SESSION_SECONDS };
    },
  }));
  aws.control.afterChange = () => afterChange();
  aws.dns.afterChange = () => afterChange();
  served = await serveFakeCloud(aws.fetch, { latencyMs: LATENCY_MS });
  environment = {
    STATE_DIR: path.join(directory, "state"),
    DEV_VARS_FILE: path.join(directory, "dev.vars"),
    PORT: String(await freePort()),
    STALL_SECONDS: "1",
    RATE_LIMITS: "off",
    DEV_IDP: "off",
    PROVIDER_ENDPOINTS: JSON.stringify({ aws: served.url }),
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
  output += service.output();
  service = await startService(environment);
}

type Access = "keys" | "federation";

/** The keys of a target as a secret, which takes another start. */
async function keysOf(tenantId: string): Promise<JsonMap> {
  const owner = tenantId.replaceAll("-", "").toUpperCase();
  environment[`TARGET_${owner}_AWS`] = JSON.stringify(KEYS);
  await restart();
  return { config: {}, credentialRef: `env://TARGET_${owner}_AWS` };
}

/** A tenant with an instance of the example, at a target with keys or with a role that trusts its tokens. */
async function setUp(access: Access): Promise<void> {
  service = await startService(environment);
  tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  const { client, tenantId } = tenant;
  const identity = access === "keys" ? await keysOf(tenantId) : { config: { roleArn: ROLE } };
  const target = await client.post<Named>("/cloud/targets", {
    provider: "aws",
    name: "shop",
    environment: "sandbox",
    ...identity,
    allowedRegions: ["eu-central-1"],
    defaultRegion: "eu-central-1",
  });
  const subject = `tenant:${tenantId}:target:${target.id}`;
  trust = new TokenService(
    "aws",
    { issuer: service.address, audience: "sts.amazonaws.com", subject },
    async (file) => ({ body: await (await fetch(`${service.address}${file}`)).json() }),
  );
  const source = await readFile(path.join(projectRoot, "examples/aws-service.yaml"), "utf8");
  const template = await client.post<Named>("/templates", { name: "service", source });
  const instance = await client.post<Named>("/instances", {
    name: "shop",
    templateId: template.id,
    targetId: target.id,
    variables: { zoneId },
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

/** Kills the service after some of the run's changes, each time before AWS has answered. */
async function withKills(kills: number, run: Promise<Deployment>): Promise<Deployment> {
  const seen = { end: false };
  const over = run.finally(() => {
    seen.end = true;
  });
  for (let kill = 0; kill < kills && !seen.end; kill += 1) {
    const moment = Promise.withResolvers<void>();
    let left = 1 + random.below(MAX_CHANGES);
    afterChange = () => {
      left -= 1;
      if (left === 0) moment.resolve();
    };
    await Promise.race([moment.promise, over]);
    if (!seen.end) await restart();
  }
  afterChange = () => {};
  return over;
}

/**
 * The operation, until it succeeds. Nothing proves whose a record is: a kill in its create ends the run with
 * `cannot_tell`; then this does what the error says, and asks again.
 */
async function toSuccess(operation: "deploy" | "destroy", kills: number): Promise<Deployment> {
  const told: string[] = [];
  for (let run = 1; run <= MAX_RUNS; run += 1) {
    const { id } = await tenant.client.post<Deployment>(`/instances/${instanceId}/${operation}`);
    const ended = await withKills(run === 1 ? kills : 0, untilEnded(id));
    if (ended.state === "SUCCEEDED") return ended;
    expect(ended).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    told.push(JSON.stringify(ended.error));
    const { data } = await tenant.client.get<{ data: (Resource & { state: string })[] }>(
      `/instances/${instanceId}/resources`,
    );
    const known = data.filter(({ state }) => state !== "LOST").map((one) => one.id);
    if (!known.some((one) => one.includes("|A"))) aws.dns.records.clear();
  }
  throw new Error(`The runs do not succeed: ${told.join("\n")}`);
}

/** What the example made: without the zone that was there. */
const made = (): string[] =>
  aws.control
    .living()
    .filter(({ id }) => id !== zoneId)
    .map(({ type, id }) => `${type} ${id}`);

describe.runIf(KILLS > 0)(
  `the service example at AWS, by a service killed with -9 ${KILLS} times in each run`,
  () => {
    it.for(["keys", "federation"] as const)(
      "is deployed, changed in place and destroyed, with nothing doubled, lost or left: %s",
      { timeout: 900_000 },
      async (access) => {
        await setUp(access);
        await toSuccess("deploy", KILLS);
        expect(made()).toHaveLength(OBJECTS);
        expect(aws.dns.records.size).toBe(1);
        const creates = aws.control.ledger.filter(({ verb }) => verb === "create");
        expect(creates).toHaveLength(OBJECTS);

        await tenant.client.patch(`/instances/${instanceId}`, {
          variables: { zoneId, tasks: 2 },
        });
        const before = aws.control.ledger.length;
        const changed = await toSuccess("deploy", 0);
        expect(changed.summary).toMatchObject({ create: 0, update: 1, replace: 0, delete: 0 });
        expect(aws.control.ledger.slice(before)).toMatchObject([
          { verb: "update", type: "AWS::ECS::Service" },
        ]);

        await toSuccess("destroy", KILLS);
        expect(made()).toEqual([]);
        expect(aws.control.living()).toHaveLength(1);
        expect(aws.dns.records.size).toBe(0);
        expect(receiver.refused).toEqual([]);
        expect(tokens.length > 0).toBe(access === "federation");
        expect(aws.given.length > 0).toBe(access === "federation");
        for (const secret of [KEYS.secretAccessKey, ...aws.given, ...tokens])
          expect(output + service.output()).not.toContain(secret);
      },
    );
  },
);
