import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";

export type InstanceStatus =
  | "INITIALIZED"
  | "PROVISIONING"
  | "ACTIVE"
  | "UPDATING"
  | "FAILED"
  | "DEGRADED"
  | "DESTROYING"
  | "DESTROYED"
  | "DESTROY_FAILED";

export type DriftStatus = "UNKNOWN" | "IN_SYNC" | "DRIFTED";

export type ApprovalMode = "auto" | "destructive" | "always";

/** A variable fed by another instance's output. What else a caller put there is kept. */
export type Bindings = { [variable: string]: { instanceId: string; output: string } & JsonMap };

export const instances = sqliteTable(
  "instances",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    name: text().notNull(),
    templateId: text().notNull(),
    /** The number of the version the next deployment uses. */
    templateVersion: integer().notNull(),
    targetId: text().notNull(),
    profileId: text(),
    /** As given; the values of secret config are sealed, each by itself (sealed-variables.ts). */
    variables: text({ mode: "json" }).$type<JsonMap>().notNull(),
    bindings: text({ mode: "json" }).$type<Bindings>().notNull(),
    /** Null: `destructive` on a production target, else `auto`. */
    approvalMode: text().$type<ApprovalMode>(),
    protectedFromDestroy: integer({ mode: "boolean" }).notNull(),
    expiresAtMs: integer(),
    state: text().$type<InstanceStatus>().notNull(),
    drift: text().$type<DriftStatus>().notNull(),
    /** As the last run left them; secret ones read `[secret]` here and are kept by the runner. */
    outputs: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** The serial of the resource state, kept by the instance's runner. */
    stateSerial: integer().notNull(),
    lastDeploymentId: text(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("instances_by_tenant").on(t.tenantId, t.id),
    index("instances_by_target").on(t.targetId),
    index("instances_by_template").on(t.templateId),
    index("instances_by_profile")
      .on(t.profileId)
      .where(sql`profile_id IS NOT NULL`),
    index("instances_expiring")
      .on(t.expiresAtMs)
      .where(sql`expires_at_ms IS NOT NULL`),
  ],
);

export type Instance = typeof instances.$inferSelect;

/** `expiry` stands for the instance's `expiresAt`, and is changed with it alone. */
export type TriggerKind = "schedule" | "template_version" | "expiry";

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
  ],
);

export type Trigger = typeof triggers.$inferSelect;
