/**
 * What happened leaves in the commit in which it happened: the event and one delivery per webhook that asked
 * for it are statements of the change's own batch. So no event is lost, none is invented, and nobody has to
 * know who listens. Sending is the webhooks area's work; the queue is only rung.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "#platform/db/client.ts";
import { PLATFORM, tenantIdView } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import type { EventType } from "#schema/event-kinds.ts";
import { events } from "#schema/events.ts";
import { webhookDeliveries, webhooks } from "#schema/webhooks.ts";

export interface EventEntry {
  write: "event";
  type: EventType;
  tenantId: string;
  resourceType: string;
  resourceId: string;
  /** Rises per resource, so that a receiver can order: the resource's version after the change. */
  sequence: number | SQL;
  /** Ids, states and a path: no variables, no secrets, no outputs. At most 20 KB with its envelope. */
  data: JsonMap;
  /** Absent: the event's id is made at commit. Given: a repetition of the same commit cannot double it. */
  id?: string;
  /** The event happens only if this holds when the batch runs. */
  condition?: SQL;
  /** The webhook that is not told, though it asks for the kind: the event is about it. */
  exceptWebhookId?: string;
}

export function event(
  type: EventType,
  resource: { tenantId: string; id: string; sequence: number | SQL },
  data: JsonMap = {},
  more: { id?: string; condition?: SQL; exceptWebhookId?: string } = {},
): EventEntry {
  return {
    write: "event",
    type,
    tenantId: resource.tenantId,
    resourceType: type.slice(0, type.indexOf(".")),
    resourceId: resource.id,
    sequence: resource.sequence,
    data,
    ...more,
  };
}

/** A delivery as the batch made it: what the queue is rung with. */
export interface DeliveryRef {
  tenantId: string;
  id: string;
}

/** Of so many events at most are the deliveries one statement's: D1 binds no more than a hundred values. */
const TOLD_AT_ONCE = 25;

/** An event that knows its id: a repetition of the same commit cannot double it. */
export type KnownEvent = EventEntry & { id: string };

/**
 * The two statements of an event: the event itself, and its deliveries, which return `{ tenantId, id }` of
 * each. `only`: the one webhook that gets it, subscribed or not (a test delivery).
 */
export function eventStatements(
  db: Db,
  entry: EventEntry,
  context: { id: string; atMs: number; trace?: Trace | undefined },
  only?: { webhookId: string },
): [Statement, Statement] {
  const known = { ...entry, id: entry.id ?? context.id };
  return [eventStatement(db, known, context), insertDeliveries(db, [known], context.atMs, only)];
}

/** The event alone. Its deliveries are to be made in the same commit, after it. */
export function eventStatement(
  db: Db,
  entry: KnownEvent,
  { atMs, trace }: { atMs: number; trace?: Trace | undefined },
): Statement {
  return db.run(sql`
    INSERT INTO ${events} (tenant_id, id, type, resource_type, resource_id, payload, trace, created_at_ms)
    SELECT ${entry.tenantId}, ${entry.id}, ${entry.type}, ${entry.resourceType}, ${entry.resourceId}, ${payloadOf(entry, atMs)},
      ${trace === undefined ? null : JSON.stringify(trace)}, ${atMs}
    WHERE ${entry.condition ?? sql`1`}`);
}

/** The deliveries of all those events that the commit has made. Each statement returns `{ tenantId, id }` of its own. */
export function deliveryStatements(
  db: Db,
  entries: readonly KnownEvent[],
  atMs: number,
): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < entries.length; at += TOLD_AT_ONCE)
    statements.push(insertDeliveries(db, entries.slice(at, at + TOLD_AT_ONCE), atMs));
  return statements;
}

function insertDeliveries(
  db: Db,
  entries: readonly KnownEvent[],
  atMs: number,
  only?: { webhookId: string },
): Statement {
  const told = entries.map(
    ({ tenantId, id, exceptWebhookId }) => sql`(${tenantId}, ${id}, ${exceptWebhookId ?? ""})`,
  );
  const listens =
    only === undefined
      ? sql`w.state = 'ENABLED' AND w.id <> told.except_id AND EXISTS (SELECT 1 FROM json_each(w.events)
          WHERE value IN (e.type, e.resource_type || '.*', '*'))`
      : sql`w.id = ${only.webhookId}`;
  // CROSS JOIN keeps the order: from the few events to who listens.
  return db.all<DeliveryRef>(sql`
    WITH told (tenant_id, id, except_id) AS (VALUES ${sql.join(told, sql`, `)})
    INSERT INTO ${webhookDeliveries} (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state, attempts, manual,
      due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
    SELECT w.tenant_id, ${uuidV7Sql(sql`e.id`)}, w.id, e.tenant_id, e.id, e.type, 'PENDING', 0, 0,
      ${atMs}, 0, ${atMs}, ${atMs}
    FROM told
    CROSS JOIN ${events} e ON e.tenant_id = told.tenant_id AND e.id = told.id
    CROSS JOIN ${webhooks} w ON w.tenant_id IN (told.tenant_id, ${PLATFORM}) AND ${listens}
    RETURNING tenant_id AS tenantId, id`);
}

function payloadOf(entry: KnownEvent, atMs: number): SQL {
  const payload = JSON.stringify({
    id: entry.id,
    type: entry.type,
    timestamp: new Date(atMs).toISOString(),
    apiVersion: "v1",
    tenantId: tenantIdView(entry.tenantId),
    sequence: typeof entry.sequence === "number" ? entry.sequence : 0,
    data: { ...entry.data, resource: { type: entry.resourceType, id: entry.resourceId } },
  });
  return typeof entry.sequence === "number"
    ? sql`${payload}`
    : sql`json_set(${payload}, '$.sequence', ${entry.sequence})`;
}

/** A UUIDv7 made inside SQL: the time of the given one, new random bits. How many rows there will be, only SQL knows. */
function uuidV7Sql(id: SQL): SQL {
  return sql`substr(${id}, 1, 13) || '-7' || substr(lower(hex(randomblob(2))), 2) || '-' ||
    substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;
}
