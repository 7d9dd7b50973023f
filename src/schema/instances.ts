import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { Authors, Taken } from "./authors.ts";
import type { Labels } from "./labels.ts";
import { problemStates } from "./lists/problem-states.ts";

export const instanceStates = [
  "INITIALIZED",
  "PROVISIONING",
  "ACTIVE",
  "UPDATING",
  "FAILED",
  "DEGRADED",
  "DESTROYING",
  "DESTROYED",
  "DESTROY_FAILED",
] as const;

/** The states of problems as SQL text: SQLite does not match parameters to the condition of an index. */
export const problemStatesSql = sql.raw(`('${problemStates.join("', '")}')`);

export type InstanceStatus = (typeof instanceStates)[number];

export type DriftStatus = "UNKNOWN" | "IN_SYNC" | "DRIFTED";

export type ApprovalMode = "auto" | "destructive" | "always";

/** Variables bound to another instance's output. Unknown members of a binding are kept. */
export type Bindings = { [variable: string]: { instanceId: string; output: string } & JsonMap };

export const instances = sqliteTable(
  "instances",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    name: text().notNull(),
    /** The name in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    labels: text({ mode: "json" }).$type<Labels>().notNull().default({}),
    templateId: text().notNull(),
    /** The template version that the next deployment uses. */
    templateVersion: integer().notNull(),
    targetId: text().notNull(),
    profileId: text(),
    /** As given; each value of a secret config is sealed separately (sealed-variables.ts). */
    variables: text({ mode: "json" }).$type<JsonMap>().notNull(),
    bindings: text({ mode: "json" }).$type<Bindings>().notNull(),
    /** Null: `destructive` on a production target, else `auto`. */
    approvalMode: text().$type<ApprovalMode>(),
    protectedFromDestroy: integer({ mode: "boolean" }).notNull(),
    expiresAtMs: integer(),
    state: text().$type<InstanceStatus>().notNull(),
    drift: text().$type<DriftStatus>().notNull(),
    /** As of the last run; secrets read `[secret]`. */
    outputs: text({ mode: "json" }).$type<JsonMap>().notNull(),
    /** Outputs that contain a secret, complete and sealed, for the instances bound to them. */
    secretOutputs: text({ mode: "json" }).$type<JsonMap>(),
    /**
     * A keyed hash of each output's real value. Only the runner has the key, so values cannot be guessed from hashes.
     */
    outputHashes: text({ mode: "json" }).$type<{ [output: string]: string }>(),
    /** The time since which `outputs` are older than the resources, because they could not be computed. */
    outputsStaleSinceMs: integer(),
    /** The serial of the resource state, which the instance's runner stores. */
    stateSerial: integer().notNull(),
    lastDeploymentId: text(),
    /**
     * The person who created it, and those who changed the content that deployments take, since the last deployment.
     */
    authors: text({ mode: "json" }).$type<Authors>().notNull().default({}),
    /**
     * The versions that the last successful deployment with a change took; before the first one, the original versions.
     */
    deployed: text({ mode: "json" }).$type<Taken>().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("instances_by_tenant").on(t.tenantId, t.id),
    index("instances_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    index("instances_with_problems")
      .on(t.tenantId, t.id)
      .where(sql`state IN ${problemStatesSql}`),
    index("instances_by_name").on(t.tenantId, sql`name COLLATE NOCASE`, t.id),
    index("instances_by_target").on(t.targetId, t.id),
    index("instances_by_template").on(t.templateId, t.id),
    index("instances_by_profile")
      .on(t.profileId)
      .where(sql`profile_id IS NOT NULL`),
    index("instances_expiring")
      .on(t.expiresAtMs)
      .where(sql`expires_at_ms IS NOT NULL`),
  ],
);

/** Without the large columns that only bound instances need. */
export type Instance = Omit<typeof instances.$inferSelect, "secretOutputs" | "outputHashes">;

/** A copy of the instances' bindings, one row each, to find readers by the upstream instance. */
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
