/** The end of a soak: faults stop, everything comes to rest and is destroyed, and the remains are examined. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FakeCloud } from "#test/support/fake-cloud/fake-cloud.ts";
import { clientOf } from "../client/client.ts";
import { verifyExport } from "../operator/audit-export.ts";
import { compareInstallation } from "../operator/compare-installation.ts";
import type { Caller } from "./caller.ts";
import type { Evidence } from "./evidence.ts";
import { deleteAgain, takeOverOrphans } from "./follow-restore.ts";
import { storedEvidence, usageFacts } from "./gather-evidence.ts";
import { itemsOf, holdings } from "./holdings.ts";
import type { SoakService } from "./soak-service.ts";
import type { SoakPlace, SoakTenant } from "./soak-tenants.ts";
import { textsOfD1 } from "./stored-rows.ts";
import { discardWaiting, untilIdle } from "./until-idle.ts";

const AT_REST_WITHIN_MS = 180_000;
const DESTROYED_WITHIN_MS = 180_000;
/** A delivery that a kill interrupted is leased for a minute; then the sweep of a minute finds it, among a thousand. */
const PROGRESS_WITHIN_MS = 240_000;
const DELIVERED_WITHIN_MS = 1_200_000;
const STEP_MS = 2_000;

export interface Ending {
  place: SoakPlace;
  service: SoakService;
  tenants: readonly SoakTenant[];
  fake: FakeCloud;
  directory: string;
  print: (line: string) => void;
}

/** Called when the clients have stopped and the service runs without faults. Stops the service. */
export async function comeToRest({
  place,
  service,
  tenants,
  fake,
  directory,
  print,
}: Ending): Promise<Evidence> {
  const { book, canaries, receivers } = place;
  const { stateDir, address, operatorKey } = service;
  const callers = tenants.map(({ admin }) => admin);
  for (const { admin, targets } of tenants)
    await admin.change({
      method: "PATCH",
      path: `/cloud/targets/${targets.mock}`,
      body: { config: { faults: [] } },
    });
  // A deployment that was not planned yet waits for approval only after the first time.
  for (let times = 0; times < 2; times += 1) {
    await discardWaiting(tenants);
    await rest(callers, print);
  }
  const again = await deleteAgain(book, tenants);
  if (again > 0) print(`Deleted again what the restore had brought back: ${again}`);
  const compare = () =>
    compareInstallation(clientOf(address, operatorKey), {
      write: false,
      pause: () => wait(STEP_MS),
    });
  const comparison = await compare();
  for (const taken of await takeOverOrphans(book, stateDir, tenants))
    print(`Imported again ${taken}`);
  const atRest = await holdings({ stateDir, fake }, tenants);
  print(`At rest: ${atRest.objects.length} objects, ${atRest.resources.length} resources`);
  await destroyAll(tenants, print);
  await rest(callers, print);
  const destroyed = await holdings({ stateDir, fake }, tenants);
  await untilDelivered(tenants, print);
  const wholeLogs = await readLogs(
    tenants,
    book.logs.map(({ deploymentId }) => deploymentId),
  );
  const audit = await verifyAudit(tenants, directory);
  const told = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { id, admin } of tenants) told.set(id, (await admin.get(`/tenants/${id}/usage`)).body);
  await service.kill();
  const webhooks = tenants.flatMap((tenant) =>
    tenant.webhooks.map(({ id, url, mood }) => ({
      id,
      mood,
      tenantId: tenant.id,
      path: new URL(url).pathname,
    })),
  );
  for (const { table, text } of await textsOfD1(stateDir))
    canaries.look(`the table ${table}`, text);
  const stored = await storedEvidence(stateDir, { book, canaries, receivers, webhooks });
  const usage = await Promise.all(
    [...told].map(([id, usage]) =>
      usageFacts(stateDir, id, usage, stored.deployments, book.lossWindow),
    ),
  );
  return { ...stored, wholeLogs, atRest, destroyed, comparison, audit, usage: usage.flat() };
}

async function rest(callers: readonly Caller[], print: (line: string) => void): Promise<void> {
  const open = await untilIdle(callers, AT_REST_WITHIN_MS);
  if (open.length > 0)
    print(`Still under way after ${AT_REST_WITHIN_MS / 1_000} s: ${open.join(", ")}`);
}

/** Destroys each instance, with a second try for objects that a lost answer left. */
async function destroyAll(
  tenants: readonly SoakTenant[],
  print: (line: string) => void,
): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    for (const { admin } of tenants)
      for (const { id } of await itemsOf<{ id: string }>(admin, "/instances")) {
        await admin.change({
          method: "PATCH",
          path: `/instances/${id}`,
          body: { approvalMode: "auto" },
        });
        const { status, body } = await admin.change({
          method: "POST",
          path: `/instances/${id}/destroy`,
        });
        if (status !== 202)
          print(`The destroy of ${id} was answered ${status}: ${JSON.stringify(body)}`);
      }
    const open = await untilIdle(
      tenants.map(({ admin }) => admin),
      DESTROYED_WITHIN_MS,
    );
    if (open.length > 0) print(`Still being destroyed: ${open.join(", ")}`);
  }
}

/** Waits for open deliveries. It gives up without progress, or at the latest after the limit. */
async function untilDelivered(
  tenants: readonly SoakTenant[],
  print: (line: string) => void,
): Promise<void> {
  const beganMs = performance.now();
  let least = Number.POSITIVE_INFINITY;
  let progressMs = beganMs;
  for (;;) {
    const open = await openDeliveries(tenants);
    if (open === 0) return;
    const nowMs = performance.now();
    if (open < least) progressMs = nowMs;
    least = Math.min(least, open);
    if (nowMs > progressMs + PROGRESS_WITHIN_MS || nowMs > beganMs + DELIVERED_WITHIN_MS)
      return print(`${open} deliveries to receivers that accept are still open`);
    await wait(STEP_MS);
  }
}

async function openDeliveries(tenants: readonly SoakTenant[]): Promise<number> {
  let open = 0;
  for (const { admin, webhooks } of tenants) {
    const accepting = new Set(
      webhooks.filter(({ mood }) => mood === "good" || mood === "slow").map(({ id }) => id),
    );
    for (const { id } of await itemsOf<{ id: string }>(admin, "/webhooks"))
      if (accepting.has(id))
        for (const status of ["PENDING", "RETRYING"])
          open += (await itemsOf(admin, `/webhooks/${id}/deliveries?status=${status}`)).length;
  }
  return open;
}

async function readLogs(
  tenants: readonly SoakTenant[],
  deploymentIds: readonly string[],
): Promise<Map<string, readonly number[]>> {
  const logs = new Map<string, readonly number[]>();
  for (const id of deploymentIds)
    for (const { admin } of tenants) {
      const { status } = await admin.get(`/deployments/${id}`);
      if (status !== 200) continue;
      const entries = await itemsOf<{ seq: number }>(admin, `/deployments/${id}/log`);
      logs.set(
        id,
        entries.map(({ seq }) => seq),
      );
    }
  return logs;
}

/** As `npm run audit:verify` does with the export of each tenant. */
async function verifyAudit(
  tenants: readonly SoakTenant[],
  directory: string,
): Promise<Evidence["audit"]> {
  const lines: string[] = [];
  let ok = true;
  for (const { admin, slug } of tenants) {
    const entries = await itemsOf<object>(admin, "/audit-events");
    const text = entries.map((entry) => JSON.stringify(entry)).join("\n");
    await writeFile(path.join(directory, `audit-${slug}.jsonl`), text);
    const report = await verifyExport(text);
    lines.push(...report.lines);
    ok &&= report.ok;
  }
  return { ok, lines };
}
