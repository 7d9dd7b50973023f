import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
    /** As the last run left them; what is secret reads `[secret]` here. */
    outputs: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** The whole of those outputs that hold a secret, sealed, for the instances bound to them. */
    secretOutputs: text({ mode: "json" }).$type<JsonMap>(),
    /** By output: a keyed hash of its real value. The key is the runner's, so that no value can be guessed from it. */
    outputHashes: text({ mode: "json" }).$type<{ [output: string]: string }>(),
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

/** Without what is only for those who are bound to its outputs: that is large. */
export type Instance = Omit<typeof instances.$inferSelect, "secretOutputs" | "outputHashes">;

/** The instances' bindings once more, a row each: to be found from the instance that is read. */
export const instanceBindings = sqliteTable(
  "instance_bindings",
  {
    tenantId: text().notNull(),
    readerId: text().notNull(),
    variable: text().notNull(),
    upstreamId: text().notNull(),
    output: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.readerId, t.variable] }),
    index("instance_bindings_by_upstream").on(t.tenantId, t.upstreamId, t.output),
  ],
);
