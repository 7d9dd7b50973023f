/** What reached the receivers of webhooks, against the events in D1. */
import { type Delivery, undelivered } from "#test/invariants/deliveries.ts";
import { isDeepStrictEqual } from "./deep-equal.ts";
import { receiverUrls } from "./receivers.ts";
import type { Simulation } from "./simulation.ts";
import { parsed } from "./stored.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_ROUNDS = 200;
const openStates = "('PENDING', 'RETRYING')";

/** Lets time pass until no delivery is open. The clock goes straight to the next one that is due. */
export async function deliverEverything(real: Simulation): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    await real.rest();
    const [open] = real.d1.rows(
      `SELECT count(*) AS count, min(due_at_ms) AS dueMs FROM webhook_deliveries
        WHERE tenant_id = ? AND state IN ${openStates}`,
      [real.ground.tenantId],
    );
    if (open?.["count"] === 0) return;
    const dueMs = Number(open?.["dueMs"] ?? 0);
    if (dueMs > real.time.nowMs + MINUTE_MS) real.time.nowMs = dueMs;
    await real.pass(MINUTE_MS + 5_000);
  }
  real.watches.report("Deliveries of webhooks stay open");
}

/** Whatever arrives is an event of the tenant, with the bytes that D1 has. */
export function watchReceivers(real: Simulation): void {
  const seen = new Map<string, string>();
  real.receivers.arrived = (url, id, body) => {
    const before = seen.get(id);
    if (before !== undefined && before !== body && !isRenumbered(real, before, body))
      real.watches.report(`The event ${id} came with two bodies: ${before} and ${body}`);
    if (before !== undefined) return;
    seen.set(id, body);
    const [row] = real.d1.rows("SELECT payload FROM events WHERE id = ? AND tenant_id = ?", [
      id,
      real.ground.tenantId,
    ]);
    // D1 may have lost it since.
    if (row === undefined && real.timeTravel.hasGoneBack) return;
    if (row?.["payload"] !== body)
      real.watches.report(`${url} got ${id}, which is no event: ${body}`);
  };
}

/** An event that D1 had lost and a runner sends again has another sequence if a request has used its own meanwhile. */
function isRenumbered(real: Simulation, before: string, body: string): boolean {
  const { sequence: _, ...was } = parsed(before);
  const { sequence: __, ...is } = parsed(body);
  return real.timeTravel.hasGoneBack && isDeepStrictEqual(is, was);
}

/** The events that an enabled webhook which subscribes to them never accepted. */
export function undeliveredEvents(real: Simulation): string[] {
  const webhooks = real.d1.rows(
    "SELECT id, url FROM webhooks WHERE tenant_id = ? AND state = 'ENABLED'",
    [real.ground.tenantId],
  );
  const events = real.d1
    .rows(
      "SELECT id, type FROM events WHERE tenant_id = ? AND created_at_ms >= ? AND resource_type <> 'webhook'",
      [real.ground.tenantId, real.startMs - HOUR_MS],
    )
    .map(({ id, type }) => ({ id: String(id), type: String(type) }));
  return webhooks.flatMap((webhook) => {
    const url = String(webhook["url"]);
    const kinds = receiverUrls[url.replace("https://", "")] ?? [];
    return undelivered(
      url,
      events.filter(({ type }) => kinds.includes("*") || kinds.includes(type)),
      real.receivers.accepted.get(url) ?? new Set(),
      (eventId) => {
        const [row] = real.d1.rows(
          "SELECT state, attempts, due_at_ms AS dueMs FROM webhook_deliveries WHERE event_id = ? AND webhook_id = ?",
          [eventId, webhook["id"]],
        );
        return row as Delivery | undefined;
      },
    );
  });
}
