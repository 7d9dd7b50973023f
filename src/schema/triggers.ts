import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";

/** `expiry` represents the instance's `expiresAt` and changes only with it. */
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
    /** Only for `template_version`: the template whose versions fire the trigger. */
    templateId: text(),
    lastFiredAtMs: integer(),
    lastDeploymentId: text(),
    /** Only for `template_version`: the instance uses this version but was not deployed yet. */
    pendingVersion: integer(),
    /** Length of the chain of output changes and webhooks into hooks that made the trigger due. */
    hops: integer(),
    /** Only for `inbound_webhook`: SHA-256 of the token in its URL. */
    tokenDigest: text(),
    /** Only for `inbound_webhook` with signed calls: the sealed key. */
    signingSecret: text(),
    /**
     * The person who created it, last changed its condition, turned it on or rotated its URL. That person must not
     * alone approve the deployments that it starts.
     */
    setByPerson: text(),
    /** The time at which the sweep fires it next; null when nothing is scheduled. */
    nextFireAtMs: integer(),
    /** The reason why it did not fire when it was last due. */
    suppressedReason: text(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("triggers_by_tenant").on(t.tenantId, t.nextFireAtMs),
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
    // Those that take releases of components.
    index("triggers_of_components")
      .on(t.tenantId, t.templateId)
      .where(sql`condition ->> '$.components' = 1`),
    uniqueIndex("triggers_by_token")
      .on(t.tokenDigest)
      .where(sql`token_digest IS NOT NULL`),
  ],
);

export type Trigger = typeof triggers.$inferSelect;
