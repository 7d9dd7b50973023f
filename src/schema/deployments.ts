import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { Trace } from "#platform/trace.ts";
import type { Content, Taken } from "./authors.ts";
import type { ApprovalMode, Bindings } from "./instances.ts";
import type { Labels } from "./labels.ts";
import type { Fault } from "./lists/deployment-faults.ts";
import {
  type DeploymentOperation,
  type DeploymentState,
  activeStates,
  openStates,
} from "./lists/deployment-states.ts";

/** The reason for a failed deployment. */
export interface DeploymentError {
  code: string;
  message: string;
  /** The first failed resource, if a resource caused the failure. */
  resource?: string;
  fault: Fault;
}

/** An error of a run before it is stored. Without `fault`, the code determines it (`faultOf`). */
export type UnclassifiedError = Omit<DeploymentError, "fault"> & { fault?: Fault };

/** The reason why a successful deployment could not compute the instance's outputs. */
export interface OutputsError {
  code: string;
  message: string;
  /** The output that failed; absent: all of them together. */
  output?: string;
}

/** Number of resources per action of a plan. */
export interface PlanSummary {
  create: number;
  update: number;
  replace: number;
  delete: number;
  unchanged: number;
}

/** A person's decision on a plan that waited for approval. */
export interface PlanDecision {
  decision: "approved" | "discarded";
  /** The actor, in the form of `requestedBy`. */
  by: string;
  /** Name of the person or key at that time. Null: an operator, or a person without one. */
  name: string | null;
  atMs: number;
  /** As given with the request; null: none. */
  comment: string | null;
}

/** Everything a run needs, captured when the deployment is requested; later changes affect only later deployments. */
export interface DeploymentInputs {
  instance: { name: string; protectedFromDestroy: boolean };
  tenantSlug: string;
  /** Null for a destroy, which uses the stored state. */
  template: { templateId: string; version: number } | null;
  target: {
    id: string;
    tenantId: string;
    name: string;
    provider: string;
    environment: string;
    region: string;
    allowedRegions: readonly string[];
    config: JsonMap;
    credentialRef: string | null;
    maxConcurrentDeployments: number;
    /** The version of the target at capture. */
    version: number;
  };
  /** The effective variables, of instance, bindings and profile; secrets are sealed for the instance's row. */
  variables: JsonMap;
  /** The instance's settings: the names of its own variables, its bindings and its profile. */
  given: { own: readonly string[]; bindings: Bindings; profileId: string | null };
  /** The versions of the rows that the deployment takes. */
  taken?: Taken;
  /** The authors of the content that was not deployed before: persons, with the kind of their content. */
  authors?: { [person: string]: Content };
  /** Variables bound to outputs of other instances, each with the hash of the output's value. */
  reads?: { [variable: string]: { instanceId: string; output: string; hash: string | null } };
  /** Length of the chain of output changes and webhooks into hooks that started the deployment. */
  hops?: number;
  approvalMode: ApprovalMode;
  /** The trace of the request; the run's calls belong to it. */
  trace?: Trace;
}

const listOf = (states: readonly DeploymentState[]): SQL =>
  sql.raw(`(${states.map((state) => `'${state}'`).join(", ")})`);

/**
 * The states as SQL text, `('QUEUED', …)`: SQLite uses a partial index only if the query repeats the index's condition
 * literally, without parameters.
 */
export const activeStatesSql = listOf(activeStates);
export const openStatesSql = listOf(openStates);

/**
 * Whether a rollback can return to a deployment. The condition of the index `deployments_good`: its columns stand without
 * a table, so those of the innermost FROM are meant.
 */
export const isGoodSql = sql`operation IN ('deploy', 'rollback') AND state IN ('SUCCEEDED', 'NO_CHANGES') AND outputs_error IS NULL AND pruned = 0`;

export const deployments = sqliteTable(
  "deployments",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    instanceId: text().notNull(),
    targetId: text().notNull(),
    operation: text().$type<DeploymentOperation>().notNull(),
    state: text().$type<DeploymentState>().notNull(),
    /** The start: `manual`, or the kind of the trigger. */
    trigger: text().notNull(),
    requestedBy: text().notNull(),
    /**
     * The person's user id, if known: the signed-in user, the creator of the key, or the person who set up the trigger.
     */
    requestedByPerson: text(),
    /** Name of the person or key at the time of the request. Null: an operator, a trigger, or a person without one. */
    requestedByName: text(),
    /** As given with the request. */
    message: text(),
    labels: text({ mode: "json" }).$type<Labels>().notNull().default({}),
    /** The template version of the inputs, copied because the inputs are too large to read for a list. */
    templateVersion: integer(),
    inputs: text({ mode: "json" }).$type<DeploymentInputs>().notNull(),
    /** Position in the target's queue while the deployment waits for a slot. A tenant's lowest goes first. */
    gateTicket: integer(),
    summary: text({ mode: "json" }).$type<PlanSummary>(),
    planHash: text(),
    stateSerial: integer(),
    error: text({ mode: "json" }).$type<DeploymentError>(),
    outputsError: text({ mode: "json" }).$type<OutputsError>(),
    decisions: text({ mode: "json" }).$type<PlanDecision[]>().notNull().default([]),
    /** By state, epoch milliseconds. */
    timestamps: text({ mode: "json" }).$type<{ [state in DeploymentState]?: number }>().notNull(),
    /**
     * A request or the clock ended the deployment while its runner had an open run. The sweep notifies the runner until
     * it has closed the run.
     */
    awaitsRunner: integer({ mode: "boolean" }).notNull().default(false),
    /** The plan, the variables and other data for a rollback are removed (kernel/limits/kept-deployments.ts). */
    pruned: integer({ mode: "boolean" }).notNull().default(false),
    /** Number of the runner's projections applied to this row: each exactly once, in order. */
    projected: integer().notNull(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("deployments_by_tenant").on(t.tenantId, t.id),
    index("deployments_by_state").on(t.tenantId, t.state, t.id),
    index("deployments_by_update").on(t.tenantId, t.updatedAtMs, t.id),
    index("deployments_by_instance").on(t.instanceId, t.id),
    // The deployments to which a rollback can return, however many checks and failures followed.
    index("deployments_good").on(t.instanceId, t.id).where(isGoodSql),
    // The last check of an instance, however many deployments followed.
    index("deployments_drift_checks")
      .on(t.instanceId, t.id)
      .where(sql`operation = 'drift_check'`),
    index("deployments_waiting")
      .on(t.tenantId, t.targetId, t.gateTicket)
      .where(sql`gate_ticket IS NOT NULL`),
    // Open deployments of all instances too: they are few, and an order by time would be written with each change.
    index("deployments_open_of_instance")
      .on(t.instanceId, t.id)
      .where(sql`state IN ${activeStatesSql}`),
    index("deployments_awaiting_runner")
      .on(t.updatedAtMs)
      .where(sql`awaits_runner = 1`),
    index("deployments_parked")
      .on(t.updatedAtMs)
      .where(sql`state IN ('AWAITING_APPROVAL')`),
  ],
);

export type Deployment = typeof deployments.$inferSelect;

/** Plans are in a separate table, because they are large and read on their own. */
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
