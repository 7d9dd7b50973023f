/**
 * The service killed with -9 again and again, each time in a deploy, a cancel, an approved deployment, a rollback and a
 * destroy at once, against a cloud that takes no idempotency tokens: a create whose answer was lost must be looked up.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Deployment, Named, Resource } from "../../scripts/client/client.ts";
import {
  setUpApprover,
  setUpInstance,
  setUpTenant,
  type Tenant,
} from "../../scripts/client/tenant-setup.ts";
import { eventProblems } from "../../scripts/demo/event-check.ts";
import { type Receiver, startReceiver } from "../../scripts/receiver/receiver.ts";
import { freePort } from "../../scripts/service/port.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { holdingProblems } from "../invariants/holdings.ts";
import { Random } from "../simulation/random.ts";
import { countFor, testSeed } from "../support/depth.ts";
import { localService } from "./local-service.ts";
import { longScenes } from "./long-scenes.ts";
import { pause } from "./pause.ts";
import {
  cleanUp,
  killHard,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";
import { type LedgerEntry, type StandInCloud, startStandInCloud } from "./stand-in-cloud.ts";
import { storedEvents } from "./stored-events.ts";
import { untilEnded } from "./until-ended.ts";

const KILLS = countFor({ ordinary: 1, deep: 10 });
/** A kill counts only in runs that were still open, so some rounds may have to be repeated. */
const MAX_ROUNDS = KILLS + 6;
const LATENCY_MS = 40;
/** How much longer each change takes for the run that is canceled: it must still be open when the others are killed. */
const CANCELED_LATENCY_MS = 400;
/** The kill follows at most so many changes of the other four runs, which make at least 24. */
const MAX_CHANGES = 14;
const MAX_DELAY_MS = 80;

/** How a run may end; FAILED only as `expectAtRest` says. */
const ENDS = ["SUCCEEDED", "CANCELED", "FAILED"] as const;

const kinds = ["Network", "Server", "Record"] as const;

/** Networks, servers and records in one long chain, named after their instance and their key. */
function template(rows: readonly number[]): string {
  const resources = rows.flatMap((row) => kinds.map((kind) => ({ kind, key: `${kind}${row}` })));
  return JSON.stringify({
    name: "rows",
    runtime: "yaml",
    config: {
      dbPassword: { type: "string", secret: true },
      round: { type: "string", default: "0" },
    },
    resources: Object.fromEntries(
      resources.map(({ kind, key }, at) => [
        key,
        {
          type: `mock:${kind}`,
          properties: {
            name: `\${control.instance.name}-${key}`,
            round: "${round}",
            ...(at === 0 ? {} : { after: `\${${resources[at - 1]?.key}.id}` }),
          },
        },
      ]),
    ),
  });
}

const rowsOf = { 1: [1, 2], 2: [2, 3] } as const;
type Version = keyof typeof rowsOf;
const other = (version: Version): Version => (version === 1 ? 2 : 1);

/** The instances. In each round, one of the pair is deployed and the other destroyed. */
const tracks = ["pair-a", "pair-b", "cancels", "approves", "rolls-back"] as const;
type Track = (typeof tracks)[number];

interface Listed extends Resource {
  state: string;
}

interface Place {
  instanceId: string;
  /** What the cloud should hold at rest; undefined: unknown after a cancel. */
  version: Version | "nothing" | undefined;
  /** The version that the instance names. */
  named: Version;
  latest: string;
}

let directory: string;
let environment: Record<string, string>;
let receiver: Receiver;
let cloud: StandInCloud;
let service: ServiceProcess;
let tenant: Tenant;
let approver: Tenant["client"];
let places: Record<Track, Place>;
const random = new Random(testSeed);

beforeEach(async () => {
  directory = await temporaryDirectory();
  receiver = await startReceiver();
  cloud = await startStandInCloud(LATENCY_MS, { tokens: "none" });
  environment = {
    ...(await localService(directory, { mock: cloud.url })),
    // Another person approves.
    DEV_IDP: "on",
    IDP_PORT: String(await freePort()),
  };
});

afterEach(async () => {
  await cleanUp(directory);
  await receiver.close();
  await cloud.close();
});

const trackOf = ({ name }: LedgerEntry): Track =>
  tracks.find((track) => name.startsWith(`${track}-`)) as Track;

/** Five instances: one has nothing, the others have the first version; one more deployment is there to roll back. */
async function setUp(): Promise<void> {
  service = await startService(environment);
  tenant = await setUpTenant(service.address, service.operatorKey, receiver);
  approver = await setUpApprover(service.address, service.operatorKey, tenant.tenantId);
  const { client } = tenant;
  const { id: templateId } = await client.post<Named>("/templates", {
    name: "rows",
    source: template(rowsOf[1]),
  });
  await client.post(`/templates/${templateId}/versions`, { source: template(rowsOf[2]) });
  const made = tracks.map(async (name): Promise<[Track, Place]> => {
    const config = { tokens: "none", longestRequestMs: 500 };
    const instanceId = await setUpInstance(client, { name, templateId, config });
    return [name, { instanceId, version: "nothing", named: 2, latest: "" }];
  });
  places = Object.fromEntries(await Promise.all(made)) as Record<Track, Place>;
  const deployed = tracks.filter((track) => track !== "pair-a");
  await Promise.all(deployed.map((track) => deployToEnd(track, 1)));
  await deployToEnd("rolls-back", 2);
  await client.patch(`/instances/${places.approves.instanceId}`, { approvalMode: "always" });
}

/** Deploys without a kill. */
async function deployToEnd(track: Track, version: Version): Promise<void> {
  const { client } = tenant;
  await prepare(track, version, 0);
  const { id } = await ask(track, "deploy");
  let ended = await untilEnded(client, id);
  if (ended.state === "AWAITING_APPROVAL") {
    await approver.post(`/deployments/${id}/approve`);
    ended = await untilEnded(client, id);
  }
  expect(ended).toMatchObject({ state: "SUCCEEDED", error: null });
  places[track].version = version;
  expect([...objectsOf(track).values()].sort()).toEqual(wanted(version));
}

/** Points the instance to the version, and gives each resource a change to make. */
async function prepare(track: Track, version: Version, round: number): Promise<void> {
  await tenant.client.patch(`/instances/${places[track].instanceId}`, {
    templateVersion: version,
    variables: { dbPassword: "correct horse battery staple", round: String(round) },
  });
  places[track].named = version;
}

async function ask(track: Track, operation: "deploy" | "destroy" | "plan"): Promise<Deployment> {
  const place = places[track];
  const path = `/instances/${place.instanceId}/${operation}`;
  const started = await tenant.client.post<Deployment>(path);
  if (operation !== "plan") place.latest = started.id;
  return started;
}

/**
 * Starts all five operations; what they should lead to is in `places` afterwards. `changed` is called after each change
 * of those that are not to be canceled.
 */
async function startAll(round: number, changed: () => void): Promise<void> {
  const { client } = tenant;
  const next = (track: Track): Version => other(places[track].named);
  const waiting = next("approves");
  await Promise.all([
    prepare("approves", waiting, round),
    prepare("cancels", next("cancels"), round),
  ]);
  const { id: waitingId } = await ask("approves", "deploy");
  expect((await untilEnded(client, waitingId)).state).toBe("AWAITING_APPROVAL");
  // The canceled run applies before the others start.
  const applies = new Promise<void>((resolve) => {
    cloud.afterChange = async (entry) => {
      if (trackOf(entry) !== "cancels") return changed();
      resolve();
      return pause(CANCELED_LATENCY_MS);
    };
  });
  await ask("cancels", "deploy");
  await applies;
  places.cancels.version = undefined;
  const isAbsent = places["pair-a"].version === "nothing";
  const [absent, present] = isAbsent
    ? (["pair-a", "pair-b"] as const)
    : (["pair-b", "pair-a"] as const);
  const rollBack = async (): Promise<void> => {
    const { id } = await client.post<Deployment>(
      `/deployments/${places["rolls-back"].latest}/rollback`,
    );
    const place = places["rolls-back"];
    const version = other(place.named);
    Object.assign(place, { latest: id, named: version, version });
  };
  await Promise.all([
    ask(absent, "deploy"),
    ask(present, "destroy"),
    rollBack(),
    approver.post(`/deployments/${waitingId}/approve`),
  ]);
  places[absent].version = places[absent].named;
  places[present].version = "nothing";
  places.approves.version = waiting;
}

/** Asks for the cancel, and kills the service as soon as it has answered. Returns when it was dead. */
async function cancelAndKill(): Promise<number> {
  const tree = await treeOf(service.pid);
  try {
    await tenant.client.post(`/deployments/${places.cancels.latest}/cancel`);
  } catch (error) {
    // It has ended already; then the kill was not in it, and the round does not count for it.
    if ((error as { status?: number }).status !== 409) throw error;
  }
  for (const { pid } of tree) killHard(pid);
  await service.exited;
  cloud.afterChange = () => {};
  return Date.now();
}

const endOf = ({ state, timestamps }: Deployment): number => Date.parse(timestamps[state] ?? "");

/** One round: five operations, one kill at a moment that the seed picks. Returns the deployments as they ended, and those the kill was in. */
async function round(nth: number): Promise<{ ended: Deployment[]; hit: Track[] }> {
  const changes = random.below(MAX_CHANGES + 1);
  const delayMs = random.chance(0.5) ? 0 : random.below(MAX_DELAY_MS);
  const moment = Promise.withResolvers<void>();
  let left = changes;
  await startAll(nth, () => {
    left -= 1;
    if (left === 0) moment.resolve();
  });
  if (changes > 0) await moment.promise;
  await pause(delayMs);
  const killedAtMs = await cancelAndKill();
  service = await startService(environment);
  const ended = await Promise.all(
    tracks.map((track) => untilEnded(tenant.client, places[track].latest)),
  );
  const hit = tracks.filter((_, at) => endOf(ended[at] as Deployment) > killedAtMs);
  for (const [at, track] of tracks.entries()) await expectAtRest(track, ended[at] as Deployment);
  return { ended, hit };
}

/** The objects of the instance at the cloud, by id. No resource ever had two at once. */
function objectsOf(track: Track): Map<string, string> {
  const entries = cloud.ledger.filter((entry) => trackOf(entry) === track);
  expect(doubledNames(entries.map((entry) => ({ ...entry, collection: "" })))).toEqual([]);
  const living = new Map<string, string>();
  for (const { verb, id, name } of entries) {
    if (verb === "create") living.set(id, name.slice(track.length + 1));
    if (verb === "delete") living.delete(id);
  }
  return living;
}

/**
 * Nothing is lost: the instance has every object that the cloud has. The one exception is a create whose answer the
 * kill lost. At a cloud without tokens nothing proves that an object with the template's name is the step's, so the run
 * ends `cannot_tell` and the instance lists the resource as LOST; then this does what the error says.
 */
async function expectAtRest(track: Track, { state, error }: Deployment): Promise<void> {
  const objects = objectsOf(track);
  const { data } = await tenant.client.get<{ data: Listed[] }>(
    `/instances/${places[track].instanceId}/resources`,
  );
  const about = `${track} ${state} ${JSON.stringify(error)}`;
  const problems = holdingProblems({
    objects: [...objects].map(([id, name]) => ({ id, marks: [name], called: `${name} ${id}` })),
    known: data.map(({ id, name, state }) => ({
      id: state === "LOST" ? undefined : id,
      mark: name,
      holder: track,
      called: `${name} ${id}`,
    })),
  });
  expect(problems, about).toEqual([]);
  const known = new Set(data.flatMap((listed) => (listed.state === "LOST" ? [] : [listed.id])));
  const unknown = [...objects].filter(([id]) => !known.has(id));
  if (unknown.length === 0) {
    expect(track === "cancels" ? ["CANCELED", "SUCCEEDED"] : ["SUCCEEDED"], about).toContain(state);
    if (places[track].version !== undefined)
      expect([...objects.values()].sort(), about).toEqual(wanted(places[track].version));
    return;
  }
  expect(unknown, about).toHaveLength(1);
  const [[id, resource]] = unknown as [[string, string]];
  expect(
    data.filter((listed) => listed.state === "LOST").map((listed) => listed.name),
    about,
  ).toEqual([resource]);
  if (track !== "cancels")
    expect({ state, error }, about).toMatchObject({
      state: "FAILED",
      error: { code: "cannot_tell", resource },
    });
  cloud.remove(id);
  await deployToEnd(track, places[track].named);
}

function wanted(version: Place["version"]): string[] {
  if (version === undefined || version === "nothing") return [];
  return rowsOf[version].flatMap((row) => kinds.map((kind) => `${kind}${row}`)).sort();
}

/**
 * Reads them where they are stored: a delivery that was under way in a kill is repeated when its lease has lapsed, which
 * takes minutes and is what `crash.test.ts` looks at.
 */
async function expectEvents(deployments: readonly Deployment[]): Promise<void> {
  const stored = await storedEvents(environment["STATE_DIR"] ?? "");
  const problems = deployments.flatMap((deployment) => eventProblems(deployment, stored, ENDS));
  expect(problems).toEqual([]);
  const ids = new Set(stored.map(({ id }) => id));
  expect(receiver.verified.filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(receiver.refused).toEqual([]);
}

describe.runIf(longScenes.includes("killed in each operation"))(
  `a service killed with -9 in ${KILLS} of each operation, at a cloud without tokens`,
  () => {
    it("loses nothing, doubles nothing, and ends every run", async () => {
      await setUp();
      const ended: Deployment[] = [];
      const hits = Object.fromEntries(tracks.map((track) => [track, 0])) as Record<Track, number>;
      for (let nth = 1; nth <= MAX_ROUNDS; nth += 1) {
        const result = await round(nth);
        ended.push(...result.ended);
        for (const track of result.hit) hits[track] += 1;
        if (Math.min(...Object.values(hits)) >= KILLS) break;
      }
      expect(Math.min(...Object.values(hits)), JSON.stringify(hits)).toBeGreaterThanOrEqual(KILLS);
      await deployToEnd("cancels", other(places.cancels.named));
      const kept = tracks.filter((track) => places[track].version !== "nothing");
      const plans = kept.map(async (track) =>
        untilEnded(tenant.client, (await ask(track, "plan")).id),
      );
      for (const plan of await Promise.all(plans)) expect(plan.state).toBe("NO_CHANGES");
      await expectEvents(ended);
    }, 480_000);
  },
);
