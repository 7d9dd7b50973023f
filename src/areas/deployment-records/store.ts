import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { afterCursor, allOf, among, type ListFilters, onePage } from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import type { Call } from "#kernel/call/call.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import {
  type Deployment,
  type DeploymentInputs,
  deployments,
  activeStatesSql,
  isGoodSql,
} from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";

/** A deployment, and what it waits for while it is QUEUED. */
export type DeploymentRow = Omit<Deployment, "inputs"> & {
  /** The number of deployments of the same instance ahead of it: the active one and those queued earlier. */
  ahead: number;
  /** The first of these: the active one, if there is one. */
  aheadId: string | null;
  /** Its place among its tenant's deployments that wait for the target; 0: it does not wait for it. */
  waitingPosition: number;
  /** 1: the instance exists and an earlier deployment succeeded, so a rollback is possible. */
  canGoBack: number;
  /** The approval mode that it started with; `always` if the instance was set to that since. */
  approvalMode: string | null;
  /** The instance's present name; null: the instance was deleted. */
  instanceName: string | null;
  /** As it was at the request. */
  target: Pick<DeploymentInputs["target"], "id" | "name" | "provider" | "environment">;
  /** The authors of its content; null: it has none that were not deployed before. */
  authors: DeploymentInputs["authors"] | null;
};

const { inputs: _, ...shown } = getTableColumns(deployments);

// The first condition on the state must equal that of the partial index, or the index is not used; `+` keeps SQLite from
// that of all the tenant's deployments by state. Selects the active deployment and those queued earlier.
const before = sql`FROM deployments d
    WHERE +d.tenant_id = deployments.tenant_id AND d.instance_id = deployments.instance_id
      AND d.state IN ${activeStatesSql}
      AND d.id <> deployments.id AND (d.state IN ('PLANNING', 'APPLYING', 'CANCELING')
        OR (d.state = 'QUEUED' AND d.id < deployments.id))`;

/** The deployments that a rollback of a deployment can return to: it takes the newest. */
export const goodBefore = sql`FROM deployments g WHERE +g.tenant_id = deployments.tenant_id
    AND g.instance_id = deployments.instance_id AND g.id < deployments.id AND ${isGoodSql}`;

// The subqueries run for queued rows only.
const columns = {
  ...shown,
  approvalMode: sql<
    string | null
  >`CASE WHEN deployments.state = 'AWAITING_APPROVAL' AND EXISTS (SELECT 1 FROM instances i
      WHERE i.id = deployments.instance_id AND i.tenant_id = deployments.tenant_id AND i.approval_mode = 'always')
    THEN 'always' ELSE json_extract(deployments.inputs, '$.approvalMode') END`.as("approvalMode"),
  authors: sql`json_extract(deployments.inputs, '$.authors')`
    .mapWith((text: string) => JSON.parse(text) as DeploymentRow["authors"])
    .as("authors"),
  instanceName: sql<string | null>`(SELECT i.name FROM instances i
    WHERE i.id = deployments.instance_id AND i.tenant_id = deployments.tenant_id)`.as(
    "instanceName",
  ),
  target:
    sql`json_extract(deployments.inputs, '$.target.id', '$.target.name', '$.target.provider', '$.target.environment')`
      .mapWith((text: string) => {
        const [id, name, provider, environment] = JSON.parse(text) as [
          string,
          string,
          string,
          string,
        ];
        return { id, name, provider, environment };
      })
      .as("target"),
  ahead:
    sql<number>`CASE WHEN deployments.state = 'QUEUED' THEN (SELECT count(*) ${before}) ELSE 0 END`.as(
      "ahead",
    ),
  aheadId: sql<string | null>`CASE WHEN deployments.state = 'QUEUED' THEN (SELECT d.id ${before}
    ORDER BY d.state = 'QUEUED', d.id LIMIT 1) END`.as("aheadId"),
  // Where tenants share the target, nobody learns how many runs of others wait: they take turns.
  waitingPosition:
    sql<number>`CASE WHEN deployments.state = 'QUEUED' AND deployments.gate_ticket IS NOT NULL
    THEN (SELECT count(*) FROM deployments d WHERE d.tenant_id = deployments.tenant_id AND d.target_id = deployments.target_id
      AND d.gate_ticket IS NOT NULL AND d.gate_ticket <= deployments.gate_ticket AND +d.state = 'QUEUED')
    ELSE 0 END`.as("waitingPosition"),
  canGoBack: sql<number>`(deployments.operation IN ('deploy', 'rollback')
    AND EXISTS (SELECT 1 FROM instances i WHERE i.id = deployments.instance_id AND i.tenant_id = deployments.tenant_id
      AND i.state NOT IN ('DESTROYING', 'DESTROYED'))
    AND EXISTS (SELECT 1 ${goodBefore}))`.as("canGoBack"),
};

const selectDeployments = selectFrom(deployments, columns);

export function findDeployment(call: Call, id: string) {
  return findDeploymentsIn(call, sql`(${id})`);
}

/** The deployments that `findDeployment` finds for these ids. `ids`: a list or a subquery, in parentheses. */
export function findDeploymentsIn(call: Call, ids: SQL) {
  return selectDeployments.where(
    sql`${deployments.id} IN ${ids} AND ${call.inScope(deployments.tenantId)}`,
  );
}

/** The queued deployments of an instance that a new triggered one replaces. */
export function isQueuedTriggered(instanceId: string, operation: "deploy" | "destroy"): SQL {
  return sql`${deployments.instanceId} = ${instanceId}
    AND ${deployments.state} IN ${activeStatesSql} AND ${deployments.state} = 'QUEUED'
    AND ${deployments.trigger} <> 'manual' AND ${deployments.operation} IN ('deploy', ${operation})`;
}

export function findQueuedTriggered(
  call: Call,
  instanceId: string,
  operation: "deploy" | "destroy",
) {
  return selectDeployments.where(
    sql`${call.inScope(deployments.tenantId)} AND ${isQueuedTriggered(instanceId, operation)}`,
  );
}

export interface DeploymentFilters extends Omit<ListFilters, "name" | "q"> {
  instanceId?: string | undefined;
  targetId?: string | undefined;
  templateId?: string | undefined;
  /** The id of a person or key. */
  requestedBy?: string | undefined;
  state?: readonly string[] | undefined;
  operation?: readonly string[] | undefined;
}

/** One more than the page holds. */
export function findDeployments(call: Call, page: PageRequest, filters: DeploymentFilters) {
  const { instanceId, targetId, requestedBy, state: column, operation } = deployments;
  const { state = [], requestedBy: by } = filters;
  // Of one instance, the index of its deployments is read.
  const merges = state.length > 1 && filters.instanceId === undefined;
  const conditions = [
    ...among(instanceId, filters.instanceId),
    ...(merges ? [] : among(column, filters.state)),
    ...among(targetId, filters.targetId),
    ...among(requestedBy, by === undefined ? undefined : [`member:${by}`, `key:${by}`]),
    ...(filters.templateId === undefined
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM ${instances} i WHERE i.id = ${instanceId}
            AND i.tenant_id = ${deployments.tenantId} AND i.template_id = ${filters.templateId})`,
        ]),
    ...among(operation, filters.operation),
    // The condition of the partial index, which does not match a parameter.
    ...(filters.operation?.join() === "drift_check" ? [sql`operation = 'drift_check'`] : []),
  ];
  const anyOf = merges ? { column, values: state } : undefined;
  return selectDeployments.where(
    rowsInScope(call, deployments, page, filters, { conditions, anyOf }),
    onePage(deployments, page),
  );
}

const selectOpen = selectFrom(deployments, {
  ...columns,
  instanceName: sql<string>`json_extract(deployments.inputs, '$.instance.name')`.as("instanceName"),
});

/**
 * The open deployments, those without progress for longest first: a statement for each partial index, so that those that
 * have ended are not read. Each has one more than the page holds.
 */
export function findOpenDeployments(
  call: Call,
  page: PageRequest,
  { tenantId, state }: Pick<DeploymentFilters, "tenantId" | "state">,
) {
  const of = (indexed: SQL) =>
    selectOpen.where(
      allOf([
        indexed,
        call.permitted(deployments.tenantId),
        // `+`: by an index of the tenant's, those that have ended would be read.
        ...(tenantId === undefined ? [] : [sql`+${deployments.tenantId} = ${tenantId}`]),
        ...among(deployments.state, state),
        ...afterCursor(deployments, page),
      ]),
      onePage(deployments, page),
    );
  // SQLite does not match bound parameters to an index's condition.
  return [of(sql`state IN ${activeStatesSql}`), of(sql`state IN ('AWAITING_APPROVAL')`)] as const;
}
