/**
 * `npm run soak:events`: 10,000 events to 5 webhooks under five kills -9, with messages twice and out of order: every
 * event arrives at each webhook at least once, under one id and with the same bytes, and at nobody else's. Exits 0 only
 * if that holds; otherwise the state is kept.
 */
import { setTimeout as wait } from "node:timers/promises";
import { Random } from "#test/simulation/random.ts";
import { runCommand } from "../operator/run-command.ts";
import { audit } from "./audit.ts";
import { Book } from "./book.ts";
import { Caller, type Answer } from "./caller.ts";
import { Canaries } from "./canaries.ts";
import { changesHaveEvents } from "./checks/change-check.ts";
import { clientChecks } from "./checks/client-checks.ts";
import { eventChecks } from "./checks/event-checks.ts";
import { storedEvidence } from "./gather-evidence.ts";
import { HostileReceivers } from "./hostile-receivers.ts";
import { runSoak, type SoakRun } from "./run-soak.ts";
import { SoakService } from "./soak-service.ts";
import { numberOf, seedOf, seedOption } from "./soak-settings.ts";
import { idOf } from "./soak-tenants.ts";

const KILLS = 5;
const WEBHOOKS = 5;
/** One tenant changes almost everything; the other is the stranger, to whom little happens. */
const SHARE_OF_STRANGER = 0.02;
const INSTANCES = 16;
/** A kill loses the messages of what is not delivered yet, and a sweep sends a thousand again. */
const MAX_BACKLOG = 1_000;
const TOLD_EVERY_MS = 30_000;
const STEP_MS = 2_000;
const ROOM_STEP_MS = 50;
/** An event takes as long as all of them at this rate, and a lease that a kill left. */
const DELIVERED_PER_SECOND = 20;
const LEASE_MS = 240_000;

await runCommand(
  {
    usage: "Usage: npm run soak:events -- [--count 10000] [--seed N]",
    options: { count: { type: "string", default: "10000" }, seed: seedOption },
  },
  async ({ values }) => {
    const count = numberOf(values.count, "--count", 10, 1_000_000);
    const seed = seedOf(values.seed);
    return runSoak("soak-events", seed, async (run) => soak({ ...run, count, seed }));
  },
);

interface EventsRun extends SoakRun {
  count: number;
  seed: number;
}

interface Owner {
  id: string;
  admin: Caller;
  instances: string[];
}

async function soak({ directory, print, stop, count, seed }: EventsRun): Promise<number> {
  print(`Seed ${seed}, ${count} events to ${WEBHOOKS} webhooks, ${KILLS} kills, in ${directory}`);
  const random = new Random(seed);
  const book = new Book();
  const canaries = new Canaries();
  const receivers = await HostileReceivers.start(random, canaries);
  const service = await SoakService.prepare({
    directory,
    seed,
    variables: {},
    signal: stop,
    onLine: (line) => canaries.look("a line that the service printed", line),
  });
  try {
    await service.start();
    const { address, operatorKey } = service;
    const place = { address, operatorKey, book, canaries, random, signal: stop };
    const operator = new Caller(place, service.operatorKey);
    const webhooks: { id: string; tenantId: string; url: string }[] = [];
    const makeOwner = async (slug: string, hooks: number): Promise<Owner> => {
      const owner = await ownerOf(place, operator, slug);
      for (let nth = 0; nth < hooks; nth += 1) {
        const url = receivers.addressFor(owner.id, "good");
        const answer = await owner.admin.change({
          method: "POST",
          path: "/webhooks",
          body: { url, events: ["*"] },
        });
        receivers.setSecret(url, String(answer.body["secret"]));
        webhooks.push({ id: idOf(answer, "A webhook"), tenantId: owner.id, url });
      }
      owner.instances = await instancesOf(owner);
      return owner;
    };
    const owner = await makeOwner("acme", WEBHOOKS);
    const stranger = await makeOwner("bolt", 1);
    const changes = new Map<string, number>();
    const made = ({ instances }: Owner): number =>
      instances.reduce((sum, id) => sum + (changes.get(id) ?? 0), 0);
    const backlog = (): number =>
      made(owner) * WEBHOOKS + made(stranger) - receivers.arrivals.length;
    const untilRoom = async (): Promise<void> => {
      while (backlog() >= MAX_BACKLOG) await wait(ROOM_STEP_MS, undefined, { signal: stop });
    };
    const telling = setInterval(() => {
      print(
        `${total(changes)} events made, ${receivers.arrivals.length} deliveries, ${service.kills} kills`,
      );
    }, TOLD_EVERY_MS);
    try {
      await Promise.all([
        ...owner.instances.map((id, at) =>
          changeAgain(owner, untilRoom, id, shareOf(count, at, INSTANCES), changes),
        ),
        ...stranger.instances.map((id, at) =>
          changeAgain(
            stranger,
            untilRoom,
            id,
            shareOf(Math.ceil(count * SHARE_OF_STRANGER), at, INSTANCES),
            changes,
          ),
        ),
        killMeanwhile(service, random, changes, { count, stop }),
      ]);
      service.beQuiet();
      await service.kill();
      await service.start();
      await untilDelivered([owner, stranger], webhooks, { count, print });
    } finally {
      clearInterval(telling);
    }
    await service.kill();
    const evidence = await storedEvidence(service.stateDir, {
      book,
      canaries,
      receivers,
      webhooks: webhooks.map(({ id, tenantId, url }) => ({
        id,
        tenantId,
        path: new URL(url).pathname,
        mood: "good",
      })),
    });
    return audit(evidence, (line) => console.log(line), [
      changesHaveEvents(changes),
      ...clientChecks,
      ...eventChecks,
    ]);
  } finally {
    await service.kill();
    await receivers.close();
  }
}

async function ownerOf(
  place: ConstructorParameters<typeof Caller>[0],
  operator: Caller,
  slug: string,
): Promise<Owner> {
  const post = async (path: string, body: object): Promise<Answer> =>
    operator.change({ method: "POST", path, body });
  const id = idOf(await post("/tenants", { name: slug, slug }), "A tenant");
  const key = await post("/api-keys", { name: "admin", scopes: ["*"], tenantId: id });
  return { id, admin: new Caller(place, String(key.body["key"])), instances: [] };
}

/** Instances that are never deployed: each change of one is an event. */
async function instancesOf({ admin }: Owner): Promise<string[]> {
  const post = async (path: string, body: object): Promise<string> =>
    idOf(await admin.change({ method: "POST", path, body }), path);
  const targetId = await post("/cloud/targets", {
    provider: "mock",
    name: "mock",
    environment: "sandbox",
    config: {},
    allowedRegions: ["eu-1"],
    defaultRegion: "eu-1",
  });
  const source = JSON.stringify({
    name: "one",
    runtime: "yaml",
    config: { round: { type: "string", default: "0" } },
    resources: {
      net: { type: "mock:Network", properties: { name: "${control.instance.name}-${round}" } },
    },
  });
  const templateId = await post("/templates", { name: "one", source });
  const ids: string[] = [];
  for (let nth = 0; nth < INSTANCES; nth += 1)
    ids.push(await post("/instances", { name: `instance ${nth}`, templateId, targetId }));
  return ids;
}

/** The share of `whole` for the part at this place of `parts`. */
function shareOf(whole: number, at: number, parts: number): number {
  return Math.floor(whole / parts) + (at < whole % parts ? 1 : 0);
}

function total(changes: ReadonlyMap<string, number>): number {
  return [...changes.values()].reduce((sum, one) => sum + one, 0);
}

async function changeAgain(
  { admin }: Owner,
  untilRoom: () => Promise<void>,
  id: string,
  times: number,
  changes: Map<string, number>,
): Promise<void> {
  for (let nth = 1; nth <= times; nth += 1) {
    await untilRoom();
    const { status, body } = await admin.change({
      method: "PATCH",
      path: `/instances/${id}`,
      body: { variables: { round: String(nth) } },
    });
    if (status !== 200)
      throw new Error(`The change of ${id} was answered ${status}: ${JSON.stringify(body)}`);
    changes.set(id, nth);
  }
}

/** Five kills, spread over the events, each at a moment that the seed picks. */
async function killMeanwhile(
  service: SoakService,
  random: Random,
  changes: ReadonlyMap<string, number>,
  { count, stop }: Pick<EventsRun, "count" | "stop">,
): Promise<void> {
  for (let nth = 1; nth <= KILLS; nth += 1) {
    const due = (count * (nth - random.next() / 2)) / (KILLS + 0.5);
    while (total(changes) < due) await wait(20, undefined, { signal: stop });
    await wait(random.below(200));
    await service.kill();
    await service.start();
  }
}

async function untilDelivered(
  owners: readonly Owner[],
  webhooks: readonly { id: string; tenantId: string }[],
  { count, print }: Pick<EventsRun, "count" | "print">,
): Promise<void> {
  const withinMs = LEASE_MS + ((count * WEBHOOKS) / DELIVERED_PER_SECOND) * 1_000;
  const until = performance.now() + withinMs;
  const isOpen = async ({ id, tenantId }: { id: string; tenantId: string }): Promise<boolean> => {
    const admin = owners.find((owner) => owner.id === tenantId)?.admin;
    for (const status of ["PENDING", "RETRYING"]) {
      const answer = await admin?.get(`/webhooks/${id}/deliveries?status=${status}&limit=1`);
      if (answer?.status !== 200 || (answer.body["data"] as unknown[]).length > 0) return true;
    }
    return false;
  };
  for (;;) {
    const open = await Promise.all(webhooks.map(isOpen));
    if (!open.includes(true)) return;
    if (performance.now() > until) return print("Some deliveries are still open");
    await wait(STEP_MS);
  }
}
