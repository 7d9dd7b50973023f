import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

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
