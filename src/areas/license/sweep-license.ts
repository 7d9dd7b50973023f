/**
 * Sends operators an event 14 days before the license expires and one when it has expired. The event and the
 * record that it was sent are written in one batch, so a crash neither loses nor repeats an event.
 */
import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { notifyDeliveries } from "#kernel/outbox/notify-deliveries.ts";
import { event, eventStatements } from "#kernel/outbox/outbox.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { newId, PLATFORM } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { licenseNotices } from "#schema/license-notices.ts";
import { currentStanding } from "./current-standing.ts";
import type { Standing } from "./license.ts";

/** The notices that were sent, as far as this isolate has seen: it saves a query every minute. */
const told = new Set<string>();

export async function sweepLicense(env: Bindings, nowMs: number): Promise<void> {
  const { status, license, plan, graceEndsAtMs } = await currentStanding(env, nowMs);
  const type = noticeOf(status);
  if (type === undefined || license === undefined || graceEndsAtMs === null) return;
  const noticeId = `${type} ${license.id}`;
  if (told.has(noticeId)) return;
  const db = openDb(env.DB);
  const data = {
    plan,
    status,
    expiresAt: new Date(license.expiresAtMs).toISOString(),
    graceEndsAt: new Date(graceEndsAtMs).toISOString(),
    licenseUrl: "/api/v1/license",
  };
  const resource = { tenantId: PLATFORM, id: license.id, sequence: nowMs };
  const condition = sql`NOT EXISTS (SELECT 1 FROM ${licenseNotices} WHERE id = ${noticeId})`;
  const [insertEvent, insertDeliveries] = eventStatements(
    db,
    event(type, resource, data, { condition }),
    { id: newId(), env, atMs: nowMs },
  );
  const [, deliveries] = await runBatch(db, [
    insertEvent,
    insertDeliveries,
    db.insert(licenseNotices).values({ id: noticeId, atMs: nowMs }).onConflictDoNothing(),
  ]);
  told.add(noticeId);
  try {
    await notifyDeliveries(env, deliveries as { tenantId: string; id: string }[]);
  } catch (error) {
    log("warn", "A queue could not be notified; the sweep will repeat it", {
      error: describeError(error),
    });
  }
}

function noticeOf(status: Standing["status"]): "license.expiring" | "license.expired" | undefined {
  if (status === "EXPIRING") return "license.expiring";
  return status === "GRACE" || status === "EXPIRED" ? "license.expired" : undefined;
}
