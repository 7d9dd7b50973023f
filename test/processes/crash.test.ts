/** The service killed with -9. Only real processes show that what was written before a kill is there after the next start. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client, Deployment, Named, Resource } from "../../scripts/client/client.ts";
import { setUpInstance, setUpTenant, type Tenant } from "../../scripts/client/tenant-setup.ts";
import { eventProblems } from "../../scripts/demo/event-check.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
import { localService } from "./local-service.ts";
import { longScenes } from "./long-scenes.ts";
import {
  cleanUp,
  killTree,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from "./service-process.ts";
import { type LedgerEntry, type StandInCloud, startStandInCloud } from "./stand-in-cloud.ts";
import { untilEnded } from "./until-ended.ts";

const EVENTS_WITHIN_MS = 30_000;

let directory: string;
let environment: Record<string, string>;
let receiver: Receiver;

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  environment = await localService(directory);
});

afterEach(async () => {
  await cleanUp(directory);
  await receiver.close();
});

/** Five networks, a server in each, a record for each server. */
const rows = [1, 2, 3, 4, 5];
const template = JSON.stringify({
  name: "rows",
  runtime: "yaml",
  config: { dbPassword: { type: "string", secret: true } },
  resources: Object.fromEntries(
    rows.flatMap((row) => [
      [`net${row}`, { type: "mock:Network", properties: { name: `net-${row}` } }],
      [
        `srv${row}`,
        {
          type: "mock:Server",
          properties: { name: `srv-${row}`, network: `\${net${row}.id}` },
        },
      ],
      [
        `rec${row}`,
        {
          type: "mock:Record",
          properties: { name: `rec-${row}`, target: `\${srv${row}.id}` },
        },
      ],
    ]),
  ),
});
const names = rows.flatMap((row) => [`net-${row}`, `rec-${row}`, `srv-${row}`]).sort();

async function setUp(
  service: ServiceProcess,
  config: Readonly<Record<string, unknown>>,
): Promise<Tenant & { instanceId: string }> {
  const tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  const { id } = await tenant.client.post<Named>("/templates", {
    name: "rows",
    source: template,
  });
  const instanceId = await setUpInstance(tenant.client, {
    name: "rows",
    templateId: id,
    config,
  });
  return { ...tenant, instanceId };
}

async function untilCreated(client: Client, id: string, count: number): Promise<void> {
  let created = 0;
  for await (const { message } of client.followLog(id)) {
    if (message.startsWith("Created ")) created += 1;
    if (created === count) return;
  }
  throw new Error(`The deployment ended before ${count} resources were created.`);
}

async function expectAtRest(tenant: Tenant & { instanceId: string }, deployments: Deployment[]) {
  const plan = await tenant.client.post<Deployment>(`/instances/${tenant.instanceId}/plan`);
  const planned = await untilEnded(tenant.client, plan.id);
  expect(planned).toMatchObject({
    state: "NO_CHANGES",
    summary: { unchanged: names.length },
  });
  await expectEvents([...deployments, planned]);
}

async function expectEvents(deployments: Deployment[]) {
  const faults = (): string[] =>
    deployments.flatMap((deployment) => eventProblems(deployment, receiver.verified));
  await receiver.until(() => faults().length === 0, EVENTS_WITHIN_MS);
  expect(faults()).toEqual([]);
  expect(receiver.refused).toEqual([]);
}

async function resourcesOf({ client, instanceId }: Tenant & { instanceId: string }) {
  return (await client.get<{ data: Resource[] }>(`/instances/${instanceId}/resources`)).data;
}

describe.runIf(longScenes.includes("killed in the middle"))(
  "a service killed with -9 in the middle of a deployment",
  () => {
    it("finishes it after each start, with every resource once and no event lost", async () => {
      let service = await startService(environment);
      const tenant = await setUp(service, {
        latencyMs: 250,
        readyAfterMs: 250,
      });
      const { id } = await tenant.client.post<Deployment>(`/instances/${tenant.instanceId}/deploy`);
      for (const count of [2, 4]) {
        await untilCreated(tenant.client, id, count);
        await killTree(service.pid);
        await service.exited;
        service = await startService(environment);
      }
      const deployment = await untilEnded(tenant.client, id);
      expect(deployment).toMatchObject({ state: "SUCCEEDED", error: null });
      const resources = await resourcesOf(tenant);
      expect(resources).toHaveLength(names.length);
      expect(new Set(resources.map((resource) => resource.id)).size).toBe(names.length);
      await expectAtRest(tenant, [deployment]);
    }, 240_000);
  },
);

describe.runIf(longScenes.includes("killed before the answer"))(
  "a service killed with -9 between what a cloud did and what it answered",
  () => {
    let cloud: StandInCloud;
    beforeEach(async () => {
      cloud = await startStandInCloud(20);
      environment["PROVIDER_ENDPOINTS"] = JSON.stringify({ mock: cloud.url });
    });
    afterEach(() => cloud.close());

    const changes = (verb: LedgerEntry["verb"]): string[] =>
      cloud.ledger
        .filter((entry) => entry.verb === verb)
        .map(({ name }) => name)
        .sort();

    /** Kills the service when the cloud has made the `count`th change of its kind, and starts it again. */
    const killedAfter = async (
      service: ServiceProcess,
      verb: LedgerEntry["verb"],
      count: number,
    ): Promise<ServiceProcess> => {
      await new Promise<void>((resolve, reject) => {
        let seen = 0;
        cloud.afterChange = async (entry) => {
          if (entry.verb === verb) seen += 1;
          if (seen < count) return;
          cloud.afterChange = () => {};
          try {
            await killTree(service.pid);
            resolve();
          } catch (error) {
            reject(error);
          }
        };
      });
      await service.exited;
      expect(changes(verb).length).toBeLessThan(names.length);
      return startService(environment);
    };
    it("makes nothing twice, forgets nothing, and takes all of it down again", async () => {
      let service = await startService(environment);
      const tenant = await setUp(service, {});
      const run = (operation: "deploy" | "destroy") =>
        tenant.client.post<Deployment>(`/instances/${tenant.instanceId}/${operation}`);

      let killed = killedAfter(service, "create", 7);
      const { id } = await run("deploy");
      service = await killed;
      const deployed = await untilEnded(tenant.client, id);
      expect(deployed).toMatchObject({ state: "SUCCEEDED", error: null });
      expect(cloud.names()).toEqual(names);
      expect(changes("create")).toEqual(names);
      const ids = (await resourcesOf(tenant)).map((resource) => resource.id).sort();
      expect(ids).toEqual(cloud.ledger.map((entry) => entry.id).sort());
      await expectAtRest(tenant, [deployed]);

      killed = killedAfter(service, "delete", 7);
      const { id: destroyId } = await run("destroy");
      service = await killed;
      const destroyed = await untilEnded(tenant.client, destroyId);
      expect(destroyed).toMatchObject({ state: "SUCCEEDED", error: null });
      expect(cloud.names()).toEqual([]);
      expect(changes("delete")).toEqual(names);
      expect(await resourcesOf(tenant)).toEqual([]);
      await expectEvents([deployed, destroyed]);
    }, 240_000);
  },
);
