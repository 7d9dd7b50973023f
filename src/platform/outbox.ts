/**
 * What happened leaves in the commit in which it happened: the event and one delivery per webhook that asked
 * for it are statements of the change's own batch. So no event is lost, none is invented, and nobody has to
 * know who listens. Sending is the webhooks area's work; the queue is only rung.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "./db/client.ts";
import { events, webhookDeliveries, webhooks } from "./db/tables.ts";
import { PLATFORM, tenantIdView } from "./ids.ts";
import type { JsonMap } from "./json.ts";
import type { Trace } from "./trace.ts";

/** The kinds a webhook may ask for, by resource. */
export const eventKinds = {
  deployment: [
    "queued",
    "started",
    "planned",
    "approval_required",
    "approved",
    "discarded",
    "applying",
    "succeeded",
    "no_changes",
    "failed",
    "canceling",
    "canceled",
    "superseded",
    "expired",
  ],
  instance: [
    "created",
    "updated",
    "outputs_changed",
    "drift_detected",
    "drift_resolved",
    "expiring",
    "destroyed",
    "deleted",
  ],
  target: ["created", "updated", "verified", "verification_failed", "deleted"],
  template: ["created", "version_created", "version_deprecated", "deleted"],
  listing: ["submitted", "published", "rejected", "unlisted", "updated", "installed"],
  import: ["created", "completed", "failed"],
  incident: ["created", "updated", "resolved"],
  status: ["changed"],
  tenant: ["created", "updated", "deleted"],
  member: ["added", "role_changed", "removed"],
  api_key: ["created", "rotated", "revoked"],
  license: ["expiring", "expired", "limit_reached"],
  webhook: ["test", "failing", "disabled", "secret_rotated"],
  message: ["dead_lettered"],
  feature_flag: ["updated", "deleted"],
  profile: ["updated", "deleted"],
} as const;

type Kinds = typeof eventKinds;
export type EventType = {
  [R in keyof Kinds]: `${R & string}.${Kinds[R][number]}`;
}[keyof Kinds];

/** Every kind there is, in the order of the list above. */
export const eventTypes = Object.entries(eventKinds).flatMap(([resource, verbs]) =>
  verbs.map((verb) => `${resource}.${verb}` as EventType),
);

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
export interface DeliveryRing {
  tenantId: string;
  id: string;
}

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
  const id = entry.id ?? context.id;
  const payload = JSON.stringify({
    id,
    type: entry.type,
    timestamp: new Date(context.atMs).toISOString(),
    apiVersion: "v1",
    tenantId: tenantIdView(entry.tenantId),
    sequence: typeof entry.sequence === "number" ? entry.sequence : 0,
    data: { ...entry.data, resource: { type: entry.resourceType, id: entry.resourceId } },
  });
  const bytes =
    typeof entry.sequence === "number"
      ? sql`${payload}`
      : sql`json_set(${payload}, '$.sequence', ${entry.sequence})`;
  const insertEvent = db.run(sql`
    INSERT INTO ${events} (tenant_id, id, type, resource_type, resource_id, payload, trace, created_at_ms)
    SELECT ${entry.tenantId}, ${id}, ${entry.type}, ${entry.resourceType}, ${entry.resourceId}, ${bytes},
      ${context.trace === undefined ? null : JSON.stringify(context.trace)}, ${context.atMs}
    WHERE ${entry.condition ?? sql`1`}`);
  const listens =
    only === undefined
      ? sql`w.state = 'ENABLED' AND EXISTS (SELECT 1 FROM json_each(w.events)
            WHERE value IN (${entry.type}, ${`${entry.resourceType}.*`}, '*'))
          AND w.id <> ${entry.exceptWebhookId ?? ""}`
      : sql`w.id = ${only.webhookId}`;
  const insertDeliveries = db.all<DeliveryRing>(sql`
    INSERT INTO ${webhookDeliveries} (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state, attempts, manual,
      due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
    SELECT w.tenant_id, ${uuidV7Sql(id)}, w.id, ${entry.tenantId}, ${id}, ${entry.type}, 'PENDING', 0, 0,
      ${context.atMs}, 0, ${context.atMs}, ${context.atMs}
    FROM ${webhooks} w
    WHERE w.tenant_id IN (${entry.tenantId}, ${PLATFORM}) AND ${listens}
      AND EXISTS (SELECT 1 FROM ${events} e WHERE e.tenant_id = ${entry.tenantId} AND e.id = ${id})
    RETURNING tenant_id AS tenantId, id`);
  return [insertEvent, insertDeliveries];
}

/** A UUIDv7 made inside SQL: the time of the given one, new random bits. How many rows there will be, only SQL knows. */
function uuidV7Sql(id: string): SQL {
  const time = id.slice(0, 13);
  return sql`${time} || '-7' || substr(lower(hex(randomblob(2))), 2) || '-' ||
    substr('89ab', 1 + (random() & 3), 1) || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6)))`;
}
