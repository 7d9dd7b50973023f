/**
 * A transactional outbox: an event and one delivery per subscribed webhook are statements of the change's own batch. So
 * no event is lost or written without its change, and the code of a change need not know the subscribers. The webhooks
 * area sends the deliveries; the queue only carries a notification.
 */
import { type SQL, sql } from "drizzle-orm";
import { type PageSettings, pageUrl } from "#kernel/identity/page-url.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import { PLATFORM, tenantIdView } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import { events } from "#schema/events.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { webhookDeliveries, webhooks } from "#schema/webhooks.ts";

export interface EventEntry {
  write: "event";
  type: EventType;
  tenantId: string;
  resourceType: string;
  resourceId: string;
  /** The resource's version after the change. It increases per resource, so that receivers can order events. */
  sequence: number | SQL;
  /** Ids, states and links only: no variables, secrets or outputs. At most 20 KB with its envelope. */
  data: JsonMap;
  /** The name of a deleted object, which chat messages need and cannot look up any more. Not part of the payload. */
  name?: string;
  /** Set: a repeated commit cannot duplicate the event. Absent: the commit creates an id. */
  id?: string;
  /** The event is written only if this holds when the batch runs. */
  condition?: SQL;
  /** A webhook that does not get the event even if subscribed, because the event is about it. */
  exceptWebhookId?: string;
}

export function event(
  type: EventType,
  resource: { tenantId: string; id: string; sequence: number | SQL },
  data: JsonMap = {},
  more: { id?: string; name?: string; condition?: SQL; exceptWebhookId?: string } = {},
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

/** The place and time at which an event is written, and the request it belongs to. */
export interface EventContext {
  /** The settings with the address of the console's pages. */
  env: PageSettings;
  atMs: number;
  trace?: Trace | undefined;
  /** The length of the chain of triggers that caused the event. */
  hops?: number | SQL | undefined;
}

/** A delivery created by the batch; the content of its notification. */
export interface DeliveryRef {
  tenantId: string;
  id: string;
}

/** Maximum events per statement that inserts deliveries: D1 binds at most 100 parameters. */
const EVENTS_PER_STATEMENT = 25;

/** An event with an id: a repeated commit cannot duplicate it. */
export type KnownEvent = EventEntry & { id: string };

/**
 * The two statements of an event: one inserts it, one inserts its deliveries and returns `{ tenantId, id }` of each.
 * `only`: the only webhook that gets it, subscribed or not (a test delivery).
 */
export function eventStatements(
  db: Db,
  entry: EventEntry,
  context: EventContext & { id: string },
  only?: { webhookId: string },
): [Statement, Statement] {
  const known = { ...entry, id: entry.id ?? context.id };
  return [eventStatement(db, known, context), insertDeliveries(db, [known], context.atMs, only)];
}

/** Inserts the event. Its deliveries must follow in the same commit. */
export function eventStatement(
  db: Db,
  entry: KnownEvent,
  { trace, ...context }: EventContext,
): Statement {
  return eventsStatement(db, [{ ...entry, trace }], context);
}

/** Each event has its own trace: a tenant's `tracestate` is told to no other tenant. */
export type EventWithTrace = KnownEvent & { trace: Trace | undefined };

/** Inserts the events as one statement, with ten parameters each besides those of their conditions. */
export function eventsStatement(
  db: Db,
  entries: readonly EventWithTrace[],
  { env, atMs, hops }: Omit<EventContext, "trace">,
): Statement {
  const rows = entries.map(
    (entry) => sql`
    SELECT ${entry.tenantId}, ${entry.id}, ${entry.type}, ${entry.resourceType}, ${entry.resourceId}, ${entry.name ?? null},
      ${payloadOf(entry, env, atMs)},
      ${entry.trace === undefined ? null : JSON.stringify(entry.trace)}, ${hops ?? null}, ${atMs}
    WHERE ${entry.condition ?? sql`1`}`,
  );
  return db.run(sql`
    INSERT INTO ${events} (tenant_id, id, type, resource_type, resource_id, name, payload, trace, hops, created_at_ms)
    ${sql.join(rows, sql` UNION ALL `)}`);
}

/** Statements that insert the deliveries of the commit's events. Each returns `{ tenantId, id }` of its deliveries. */
export function deliveryStatements(
  db: Db,
  entries: readonly KnownEvent[],
  atMs: number,
): Statement[] {
  const statements: Statement[] = [];
  for (let at = 0; at < entries.length; at += EVENTS_PER_STATEMENT)
    statements.push(insertDeliveries(db, entries.slice(at, at + EVENTS_PER_STATEMENT), atMs));
  return statements;
}

function insertDeliveries(
  db: Db,
  entries: readonly KnownEvent[],
  atMs: number,
  only?: { webhookId: string },
): Statement {
  const written = entries.map(
    ({ tenantId, id, exceptWebhookId }) => sql`(${tenantId}, ${id}, ${exceptWebhookId ?? ""})`,
  );
  const subscribed =
    only === undefined
      ? sql`w.state = 'ENABLED' AND w.id <> written.except_id AND EXISTS (SELECT 1 FROM json_each(w.events)
          WHERE value IN (e.type, e.resource_type || '.*', '*'))`
      : sql`w.id = ${only.webhookId}`;
  // CROSS JOIN fixes the join order: from the few events to their webhooks.
  return db.all<DeliveryRef>(sql`
    WITH written (tenant_id, id, except_id) AS (VALUES ${sql.join(written, sql`, `)})
    INSERT INTO ${webhookDeliveries} (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state, attempts, manual,
      due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
    SELECT w.tenant_id, ${uuidV7Sql(sql`e.id`)}, w.id, e.tenant_id, e.id, e.type, 'PENDING', 0, 0,
      ${atMs}, 0, ${atMs}, ${atMs}
    FROM written
    CROSS JOIN ${events} e ON e.tenant_id = written.tenant_id AND e.id = written.id
    CROSS JOIN ${webhooks} w ON w.tenant_id IN (written.tenant_id, ${PLATFORM}) AND ${subscribed}
    RETURNING tenant_id AS tenantId, id`);
}

function payloadOf(entry: KnownEvent, env: PageSettings, atMs: number): SQL {
  const payload = JSON.stringify({
    id: entry.id,
    type: entry.type,
    timestamp: new Date(atMs).toISOString(),
    apiVersion: "v1",
    tenantId: tenantIdView(entry.tenantId),
    sequence: typeof entry.sequence === "number" ? entry.sequence : 0,
    data: {
      ...entry.data,
      ...pageOf(entry, env),
      resource: { type: entry.resourceType, id: entry.resourceId },
    },
  });
  return typeof entry.sequence === "number"
    ? sql`${payload}`
    : sql`json_set(${payload}, '$.sequence', ${entry.sequence})`;
}

/** The link for people. A deleted object has no page any more. */
function pageOf({ type, resourceType, resourceId }: KnownEvent, env: PageSettings): JsonMap {
  const isShown =
    resourceType === "deployment" || (resourceType === "instance" && type !== "instance.deleted");
  return isShown ? { pageUrl: pageUrl(env, resourceType, resourceId) } : {};
}

/**
 * A UUIDv7 with the time of the given id and new random bits, created in SQL because only SQL knows the number of rows.
 */
function uuidV7Sql(id: SQL): SQL {
  return sql`substr(${id}, 1, 13) || '-7' || substr(lower(hex(randomblob(2))), 2) || '-' ||
    substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;
}
