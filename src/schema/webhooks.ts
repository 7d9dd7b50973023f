import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { Labels } from "./labels.ts";

export const webhookStates = ["ENABLED", "DISABLED"] as const;
export type WebhookState = (typeof webhookStates)[number];

/** The content of a delivery: the payload, or a message for people in the vendor's markup. */
export const webhookFormats = ["standard", "slack", "teams"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];

/** The signature of deliveries: HMAC with a shared secret, or Ed25519 with a private key of this service. */
export const webhookSignatures = ["v1", "v1a"] as const;
export type WebhookSignature = (typeof webhookSignatures)[number];

/** A rotated secret that still signs. */
export interface OldSecret {
  sealed: string;
  createdAtMs: number;
  expiresAtMs: number;
}

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    url: text().notNull(),
    description: text().notNull(),
    /** The description in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    labels: text({ mode: "json" }).$type<Labels>().notNull().default({}),
    /** Exact kinds, `resource.*` or `*`. */
    events: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    format: text().$type<WebhookFormat>().notNull().default("standard"),
    state: text().$type<WebhookState>().notNull(),
    disabledReason: text().$type<"user" | "failing" | "gone">(),
    /** Sealed `whsec_…` or `whsk_…`. */
    secret: text().notNull(),
    secretCreatedAtMs: integer().notNull(),
    /** `whpk_…` of the secret. Null: the secret is `whsec_…`, for signature `v1`. */
    publicKey: text(),
    oldSecrets: text({ mode: "json" }).$type<readonly OldSecret[]>().notNull(),
    /** The first failure since the last success; null when the last attempt succeeded. */
    failingSinceMs: integer(),
    /** The `webhook.failing` event sent for this series of failures; null when none was sent. */
    failingEventId: text(),
    /** The last attempt was slow, so the next one uses the slow queue. */
    slow: integer({ mode: "boolean" }).notNull().default(false),
    /** Failed attempts since the last success. */
    failuresInRow: integer().notNull().default(0),
    /** The time at which the circuit opened and deliveries were held; null when it is closed. */
    circuitOpenSinceMs: integer(),
    /** Earliest time of the next probe. Set while the circuit is open. */
    nextProbeAtMs: integer(),
    /** The only delivery that may be sent while the circuit is open. */
    probeDeliveryId: text(),
    /** Failures before this time do not open the circuit again. */
    circuitClosedAtMs: integer(),
    /** The circuit is closed, but held deliveries may still have to be released. */
    draining: integer({ mode: "boolean" }).notNull().default(false),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("webhooks_by_tenant").on(t.tenantId, t.id),
    index("webhooks_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    // The few webhooks with an open circuit, for the metrics.
    index("webhooks_open")
      .on(t.circuitOpenSinceMs)
      .where(sql`circuit_open_since_ms IS NOT NULL`),
  ],
);

/** The queue of a delivery. The slow one serves receivers that delay others. */
export type DeliveryLane = "fast" | "slow";

export type DeliveryState = "PENDING" | "RETRYING" | "SUCCEEDED" | "EXHAUSTED" | "CANCELED";

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    /** The tenant of the event; differs from the webhook's tenant when the platform subscribes to a tenant's events. */
    eventTenantId: text().notNull(),
    eventId: text().notNull(),
    eventType: text().notNull(),
    state: text().$type<DeliveryState>().notNull(),
    attempts: integer().notNull(),
    /** A requested redelivery: one attempt, no retries. */
    manual: integer({ mode: "boolean" }).notNull(),
    /** The time of the next attempt; null when there is none. */
    dueAtMs: integer(),
    /** End of the sender's lease on the delivery; after a crash, it lapses. */
    leaseUntilMs: integer().notNull(),
    /**
     * The time at which the delivery was held because the circuit is open; it is then no longer due. Null when not
     * held.
     */
    heldAtMs: integer(),
    /**
     * The lane in which the delivery waits because its tenant has reached the lane limit. It stays due. Null when it
     * does not wait.
     */
    waitsIn: text().$type<DeliveryLane>(),
    /** Of a manual delivery: the original delivery of the event. */
    repeatsId: text(),
    /** Of an original delivery: the last manual delivery of the same event. */
    repeatedById: text(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index("webhook_deliveries_by_webhook").on(t.webhookId, t.id),
    index("webhook_deliveries_held")
      .on(t.webhookId, t.id)
      .where(sql`held_at_ms IS NOT NULL`),
    // Without deliveries that wait in a lane, which may be any number.
    index("webhook_deliveries_due")
      .on(t.dueAtMs)
      .where(sql`due_at_ms IS NOT NULL AND waits_in IS NULL`),
    index("webhook_deliveries_under_way")
      .on(t.tenantId, t.leaseUntilMs)
      .where(sql`lease_until_ms > 0`),
    index("webhook_deliveries_waiting")
      .on(t.tenantId, t.waitsIn, t.id)
      .where(sql`waits_in IS NOT NULL`),
    // Failed deliveries by the time of their last attempt, for the metrics.
    index("webhook_deliveries_failed")
      .on(t.updatedAtMs)
      .where(sql`state = 'EXHAUSTED'`),
  ],
);

/** The reason for a failed attempt. */
export type AttemptErrorClass =
  | "timeout"
  | "network"
  | "redirect"
  | "http_status"
  | "url_not_allowed";

/** WITHOUT ROWID (set by hand in the migration). Written only by the sender, never changed. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    deliveryId: text().notNull(),
    /** Starts at 1. */
    number: integer().notNull(),
    startedAtMs: integer().notNull(),
    durationMs: integer().notNull(),
    /** HTTP status of the answer; null when there was none. */
    status: integer(),
    /** Null when delivered. */
    errorClass: text().$type<AttemptErrorClass>(),
    /** As sent; empty when no request was sent. */
    requestHeaders: text({ mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** The first 16 KiB of the answer's body. */
    answer: text().notNull(),
    /** The body was 16 KiB or longer; the rest was not read. */
    answerCut: integer({ mode: "boolean" }).notNull(),
    nextTryAtMs: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index("webhook_attempts_by_delivery").on(t.deliveryId, t.id),
  ],
);

export type WebhookAttempt = typeof webhookAttempts.$inferSelect;

export type RecoveryState = "RUNNING" | "COMPLETED" | "CANCELED";

/**
 * A redelivery of all failed deliveries in a time range. Processes the range in batches; `afterId` is the position
 * after the last one. WITHOUT ROWID (set by hand in the migration).
 */
export const webhookRecoveries = sqliteTable(
  "webhook_recoveries",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    state: text().$type<RecoveryState>().notNull(),
    /** Range of the deliveries' creation times, both ends included. */
    sinceMs: integer().notNull(),
    untilMs: integer().notNull(),
    /** The request set no end, so the range ends at the time of the request. */
    untilNow: integer({ mode: "boolean" }).notNull(),
    /** The last delivery processed; empty at the start. */
    afterId: text().notNull(),
    /** Number of deliveries created so far. */
    count: integer().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    uniqueIndex("webhook_recoveries_running")
      .on(t.webhookId)
      .where(sql`state = 'RUNNING'`),
  ],
);

export type Recovery = typeof webhookRecoveries.$inferSelect;
