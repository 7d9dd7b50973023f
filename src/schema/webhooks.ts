import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

export type WebhookState = "ENABLED" | "DISABLED";

/** A superseded secret that still signs. */
export interface OldSecret {
  sealed: string;
  expiresAtMs: number;
}

export const webhooks = sqliteTable(
  "webhooks",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    url: text().notNull(),
    description: text().notNull(),
    /** Exact kinds, `resource.*` or `*`. */
    events: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    state: text().$type<WebhookState>().notNull(),
    disabledReason: text().$type<"user" | "failing" | "gone">(),
    /** Sealed `whsec_…`. */
    secret: text().notNull(),
    oldSecrets: text({ mode: "json" }).$type<readonly OldSecret[]>().notNull(),
    /** The first failure since the last success; null while all is well. */
    failingSinceMs: integer(),
    /** The `webhook.failing` that was sent for this row of failures; null: none was. */
    failingEventId: text(),
    /** The last attempt was slow: the next one waits in the slow queue. */
    slow: integer({ mode: "boolean" }).notNull().default(false),
    /** Failed attempts since the last one that delivered. */
    failuresInRow: integer().notNull().default(0),
    /** Since when deliveries are held back; null: the circuit is closed. */
    circuitOpenSinceMs: integer(),
    /** No probe before this. Set while the circuit is open. */
    nextProbeAtMs: integer(),
    /** The one delivery that may be sent while the circuit is open. */
    probeDeliveryId: text(),
    /** What failed before this does not open the circuit again. */
    circuitClosedAtMs: integer(),
    /** There may be held deliveries to let go, though the circuit is closed. */
    draining: integer({ mode: "boolean" }).notNull().default(false),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [index("webhooks_by_tenant").on(t.tenantId, t.id)],
);

export type DeliveryState = "PENDING" | "RETRYING" | "SUCCEEDED" | "EXHAUSTED" | "CANCELED";

export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    /** Whose event it is: not the webhook's tenant when the platform listens to a tenant. */
    eventTenantId: text().notNull(),
    eventId: text().notNull(),
    eventType: text().notNull(),
    state: text().$type<DeliveryState>().notNull(),
    attempts: integer().notNull(),
    /** A redelivery somebody asked for: one attempt, no retries. */
    manual: integer({ mode: "boolean" }).notNull(),
    /** When the next attempt is due; null when there will be none. */
    dueAtMs: integer(),
    /** Whoever claimed the delivery holds it until then; a crash lets it lapse. */
    leaseUntilMs: integer().notNull(),
    /** It was due, and waits for the webhook's circuit to close; it is due no more. Null: it is not held. */
    heldAtMs: integer(),
    /** Of a manual delivery: the one that the event itself made. */
    repeatsId: text(),
    /** Of a delivery that the event made: the last manual one of the same event. */
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
    index("webhook_deliveries_due")
      .on(t.dueAtMs)
      .where(sql`due_at_ms IS NOT NULL`),
  ],
);

/** Why an attempt did not count as delivered. */
export type AttemptErrorClass =
  | "timeout"
  | "network"
  | "redirect"
  | "http_status"
  | "url_not_allowed";

/** WITHOUT ROWID (set by hand in the migration). Written by the sender alone, never changed. */
export const webhookAttempts = sqliteTable(
  "webhook_attempts",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    deliveryId: text().notNull(),
    /** 1 for the first. */
    number: integer().notNull(),
    startedAtMs: integer().notNull(),
    durationMs: integer().notNull(),
    /** Of the answer; null when there was none. */
    status: integer(),
    /** Null: delivered. */
    errorClass: text().$type<AttemptErrorClass>(),
    /** As they were sent. Empty when nothing was. */
    requestHeaders: text({ mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
    /** The first 16 KiB of the answer's body. */
    answer: text().notNull(),
    /** The answer had 16 KiB or more; the rest was not read. */
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
 * The repetition of all that failed in a range. It goes through the range in steps; `afterId` is where the last
 * one ended. WITHOUT ROWID (set by hand in the migration).
 */
export const webhookRecoveries = sqliteTable(
  "webhook_recoveries",
  {
    tenantId: text().notNull(),
    id: text().notNull(),
    webhookId: text().notNull(),
    state: text().$type<RecoveryState>().notNull(),
    /** Deliveries made in the range count, both ends included. */
    sinceMs: integer().notNull(),
    untilMs: integer().notNull(),
    /** The request named no end: the range ends when it came. */
    untilNow: integer({ mode: "boolean" }).notNull(),
    /** The last delivery that was looked at; empty before the first. */
    afterId: text().notNull(),
    /** How many deliveries were made so far. */
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
