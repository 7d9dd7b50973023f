import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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
