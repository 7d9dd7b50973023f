import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import {
  type DeploymentOperation,
  type DeploymentState,
  activeStates,
  openStates,
} from "./deployment-states.ts";
import type { ApprovalMode, Bindings } from "./instances.ts";

/** Why a deployment failed. */
export interface DeploymentError {
  code: string;
  message: string;
  /** The first resource that failed, when it was one. */
  resource?: string;
}

/** How many resources a plan does what with. */
export interface PlanSummary {
  create: number;
  update: number;
  replace: number;
  delete: number;
  unchanged: number;
}

/** All a run needs, frozen when it is asked for: what changes later belongs to a later deployment. */
export interface DeploymentInputs {
  instance: { name: string; protectedFromDestroy: boolean };
  tenantSlug: string;
  /** Null for a destroy: the stored state says what there is. */
  template: { templateId: string; version: number } | null;
  target: {
    id: string;
    tenantId: string;
    name: string;
    provider: string;
    environment: string;
    region: string;
    /** Absent in what was frozen before regions of single resources were held to them. */
    allowedRegions?: readonly string[];
    config: JsonMap;
    credentialRef: string | null;
    maxConcurrentDeployments: number;
    /** The version of the target that says so. */
    version?: number;
  };
  /** All that count, the instance's own, its bindings' and its profile's: secret ones sealed for the instance's row. */
  variables: JsonMap;
  /** What the instance itself said: the names of its own variables, and where the others came from. */
  given?: { own: readonly string[]; bindings: Bindings; profileId: string | null };
  /** The outputs of other instances among the variables, by variable, each with the hash of what it was. */
  reads?: { [variable: string]: { instanceId: string; output: string; hash: string | null } };
  /** It was started because another instance's outputs changed: by how many such starts, one after the other. */
  hops?: number;
  approvalMode: ApprovalMode;
  /** The trace of whoever asked for it: what the run calls belongs to it. */
  trace?: Trace;
}

const listOf = (states: readonly DeploymentState[]): SQL =>
  sql.raw(`(${states.map((state) => `'${state}'`).join(", ")})`);

/**
 * The states as SQL text, `('QUEUED', …)`: a query finds a partial index only by the index's own words, and SQLite
 * does not see through parameters.
 */
export const activeStatesSql = listOf(activeStates);
export const openStatesSql = listOf(openStates);

export const deployments = sqliteTable(
  "deployments",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    instanceId: text().notNull(),
    targetId: text().notNull(),
    operation: text().$type<DeploymentOperation>().notNull(),
    state: text().$type<DeploymentState>().notNull(),
    /** What started it: `manual`, or the kind of the trigger. */
    trigger: text().notNull(),
    requestedBy: text().notNull(),
    /** The person behind it, by user id, as far as one is known: who is signed in, or who made the key. */
    requestedByPerson: text(),
    inputs: text({ mode: "json" }).$type<DeploymentInputs>().notNull(),
    /** The place in the target's queue while it waits for a slot; lower goes first. */
    gateTicket: integer(),
    summary: text({ mode: "json" }).$type<PlanSummary>(),
    planHash: text(),
    stateSerial: integer(),
    error: text({ mode: "json" }).$type<DeploymentError>(),
    /** By state, epoch milliseconds. */
    timestamps: text({ mode: "json" }).$type<{ [state in DeploymentState]?: number }>().notNull(),
    /** How many of the runner's projections this row has taken in: each exactly once, in order. */
    projected: integer().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("deployments_by_tenant").on(t.tenantId, t.id),
    index("deployments_by_instance").on(t.instanceId, t.id),
    index("deployments_waiting")
      .on(t.targetId, t.gateTicket)
      .where(sql`gate_ticket IS NOT NULL`),
    index("deployments_open")
      .on(t.updatedAtMs)
      .where(sql`state IN ${activeStatesSql}`),
    index("deployments_open_of_instance")
      .on(t.instanceId, t.id)
      .where(sql`state IN ${activeStatesSql}`),
    index("deployments_parked")
      .on(t.updatedAtMs)
      .where(sql`state IN ('AWAITING_APPROVAL')`),
  ],
);

export type Deployment = typeof deployments.$inferSelect;

/** Plans apart from their rows: large, and read by themselves. */
export const deploymentPlans = sqliteTable(
  "deployment_plans",
  {
    tenantId: text().notNull(),
    deploymentId: text().notNull(),
    /** The changes of the plan, redacted. */
    changes: text({ mode: "json" }).$type<unknown[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.deploymentId] })],
);
