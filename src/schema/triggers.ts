import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";

/** `expiry` stands for the instance's `expiresAt`, and is changed with it alone. */
export type TriggerKind =
  | "schedule"
  | "template_version"
  | "upstream_output"
  | "drift"
  | "inbound_webhook"
  | "expiry";

export const triggers = sqliteTable(
  "triggers",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    instanceId: text().notNull(),
    kind: text().$type<TriggerKind>().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    condition: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** `template_version` alone: whose versions it waits for. */
    templateId: text(),
    lastFiredAtMs: integer(),
    lastDeploymentId: text(),
    /** `template_version` alone: the instance was moved to this version and not deployed yet. */
    pendingVersion: integer(),
    /** `upstream_output` alone: what made it due came by so many such triggers, one after the other. */
    hops: integer(),
    /** `inbound_webhook` alone: SHA-256 of the token in its URL. */
    tokenDigest: text(),
    /** `inbound_webhook` alone, if its calls are signed: the key, sealed. */
    signingSecret: text(),
    /** When the sweep takes it up; null: nothing is to come, as far as is known. */
    nextFireAtMs: integer(),
    /** Why it did not fire when it was due the last time. */
    suppressedReason: text(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("triggers_by_instance").on(t.instanceId, t.id),
    uniqueIndex("triggers_expiry")
      .on(t.instanceId)
      .where(sql`kind = 'expiry'`),
    index("triggers_due")
      .on(t.nextFireAtMs)
      .where(sql`next_fire_at_ms IS NOT NULL`),
    index("triggers_by_template")
      .on(t.templateId)
      .where(sql`template_id IS NOT NULL`),
    uniqueIndex("triggers_by_token")
      .on(t.tokenDigest)
      .where(sql`token_digest IS NOT NULL`),
  ],
);

export type Trigger = typeof triggers.$inferSelect;
