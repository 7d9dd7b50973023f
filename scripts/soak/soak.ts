/**
 * `npm run soak`: the whole service in real processes on loopback, under mixed clients, hostile receivers, a cloud on a
 * bad day, messages twice and out of order, a kill -9 every 20 s and a restore of D1; then an audit of everything. Exits 0
 * only if the audit finds nothing; otherwise the state is kept. Only the soak shows what builds up while all parts run
 * together.
 */
import { appendFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { Random } from "#test/simulation/random.ts";
import { serveFakeCloud } from "../clouds/serve-fake-cloud.ts";
import { runCommand } from "../operator/run-command.ts";
import { audit } from "./audit.ts";
import { Book } from "./book.ts";
import { Caller } from "./caller.ts";
import { Canaries } from "./canaries.ts";
import { weatherOver } from "./cloud-weather.ts";
import { comeToRest } from "./ending.ts";
import { reconcile } from "./follow-restore.ts";
import { HostileReceivers } from "./hostile-receivers.ts";
import { InstanceClient } from "./instance-client.ts";
import { killTimes } from "./kill-times.ts";
import { runSoak, type SoakRun } from "./run-soak.ts";
import { SoakService } from "./soak-service.ts";
import { soakOptions, type SoakSettings, soakSettings } from "./soak-settings.ts";
import { credentialName, makeTenant, type SoakPlace, type SoakTenant } from "./soak-tenants.ts";
import { churn, readAll } from "./tenant-client.ts";

const READY_AFTER_MS = 300;
const CLOUD_LATENCY_MS = 30;
const TOLD_EVERY_MS = 30_000;

await runCommand(
  {
    usage: "Usage: npm run soak -- [--minutes 10] [--seed N] [--kill-every 20]",
    options: soakOptions,
  },
  async ({ values }) => {
    const settings = soakSettings(values);
    return runSoak("soak", settings.seed, async (run) => soak({ ...run, settings }));
  },
);

interface TimedRun extends SoakRun {
  settings: SoakSettings;
}

async function soak({ directory, print, stop, settings }: TimedRun): Promise<number> {
  print(
    `Seed ${settings.seed}, ${settings.minutes} minutes, a kill every ${settings.killEverySeconds} s, in ${directory}`,
  );
  const random = new Random(settings.seed);
  const book = new Book();
  const canaries = new Canaries();
  canaries.add(TOKEN);
  const cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument), {
    readyAfterMs: READY_AFTER_MS,
  });
  const weather = weatherOver(cloud.fetch, random, (fault, request) => {
    appendFileSync(
      path.join(directory, "weather.log"),
      `${new Date().toISOString()} ${fault} ${request}\n`,
    );
  });
  const served = await serveFakeCloud(weather.fetch, { latencyMs: CLOUD_LATENCY_MS });
  const receivers = await HostileReceivers.start(random, canaries);
  const service = await SoakService.prepare({
    directory,
    seed: settings.seed,
    variables: { PROVIDER_ENDPOINTS: JSON.stringify({ digitalocean: served.url }) },
    signal: stop,
    onLine: (line) => canaries.look("a line that the service printed", line),
  });
  try {
    await service.start();
    const place: SoakPlace = {
      address: service.address,
      operatorKey: service.operatorKey,
      book,
      canaries,
      random,
      receivers,
      signal: stop,
    };
    const operator = new Caller(place, service.operatorKey);
    const tenants: SoakTenant[] = [];
    for (const slug of ["acme", "bolt"]) tenants.push(await makeTenant(place, operator, slug));
    // The credentials' names have the tenants' ids in them.
    for (const { id } of tenants)
      service.variables = { ...service.variables, [credentialName(id)]: TOKEN };
    await service.kill();
    await service.start();

    const over = new AbortController();
    const until = AbortSignal.any([over.signal, stop]);
    const working = tenants.flatMap((tenant, at) => [
      ...tenant.instances.map((instance) =>
        new InstanceClient(place, tenant, instance, until).work(),
      ),
      readAll(place, tenant, tenants[1 - at] as SoakTenant, until),
      churn(place, tenant, until),
    ]);
    const telling = setInterval(() => {
      const accepted = receivers.arrivals.filter(({ accepted }) => accepted).length;
      print(
        `${book.runsStarted} runs started, ${book.runsEnded} ended, ${receivers.arrivals.length} deliveries (${accepted} accepted), ${service.kills} kills, ${book.calls.length} changes, ${book.wrong.length} wrong answers`,
      );
    }, TOLD_EVERY_MS);
    try {
      await killAndRestore({ directory, print, stop, settings }, service, book, random);
    } finally {
      over.abort();
      clearInterval(telling);
    }
    weather.clear();
    await service.kill();
    service.beQuiet();
    await service.start();
    await Promise.all(working);
    print(`The clients have stopped. Faults of the cloud: ${JSON.stringify(weather.counts)}`);
    const evidence = await comeToRest({
      place,
      service,
      tenants,
      fake: cloud.fake,
      directory,
      print,
    });
    const found = audit(evidence, (line) => console.log(line));
    for (const violation of cloud.violations)
      console.log(`A request is not as the cloud describes it: ${JSON.stringify(violation)}`);
    return found + cloud.violations.length;
  } finally {
    await service.kill();
    await receivers.close();
    await served.close();
  }
}

/** Kills the service again and again until the time is over, and sets D1 back once. */
async function killAndRestore(
  { print, stop, settings }: TimedRun,
  service: SoakService,
  book: Book,
  random: Random,
): Promise<void> {
  const { times, copyAt, restoreAt } = killTimes(settings, random);
  const beganMs = performance.now();
  const until = async (atMs: number): Promise<void> => {
    const leftMs = beganMs + atMs - performance.now();
    if (leftMs > 0) await wait(leftMs, undefined, { signal: stop });
  };
  let copiedAtMs = 0;
  for (const [nth, atMs] of times.entries()) {
    await until(atMs);
    await service.kill();
    if (nth === copyAt) {
      await service.copyDatabase();
      copiedAtMs = Date.now();
    }
    if (nth === restoreAt) {
      await service.putBackDatabase();
      book.lossWindow = { fromMs: copiedAtMs, toMs: Date.now() };
      print(`D1 is set back by ${((Date.now() - copiedAtMs) / 1_000).toFixed(0)} s`);
    }
    await service.start();
    if (nth !== restoreAt) continue;
    for (const line of await reconcile(service.address, service.operatorKey)) print(line);
  }
  await until(settings.minutes * 60_000);
}
