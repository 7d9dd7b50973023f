import { type SQL, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import { deploymentPlans, deployments } from "#schema/deployments.ts";

/** The facts of the instance that an approval depends on: its present state serial and safeguards. */
export function findApproval(call: Call, id: string) {
  return call.db
    .select({
      tenantId: deployments.tenantId,
      // Drizzle drops table names in selected columns: they are written out.
      serialNow: sql<number>`(SELECT i.state_serial FROM instances i
        WHERE i.id = deployments.instance_id AND i.tenant_id = deployments.tenant_id)`.as(
        "serialNow",
      ),
      protectedNow: sql<number>`(SELECT i.protected_from_destroy FROM instances i
        WHERE i.id = deployments.instance_id AND i.tenant_id = deployments.tenant_id)`.as(
        "protectedNow",
      ),
      modeNow: sql<string | null>`(SELECT i.approval_mode FROM instances i
        WHERE i.id = deployments.instance_id AND i.tenant_id = deployments.tenant_id)`.as(
        "modeNow",
      ),
    })
    .from(deployments)
    .where(sql`${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)}`);
}

export function findPlan(call: Call, deploymentId: string) {
  return call.db
    .select({ tenantId: deploymentPlans.tenantId, changes: deploymentPlans.changes })
    .from(deploymentPlans)
    .where(
      // The tenant as a value, because the primary key begins with it.
      sql`${deploymentPlans.deploymentId} = ${deploymentId} AND ${deploymentPlans.tenantId} =
        (SELECT ${deployments.tenantId} FROM ${deployments}
          WHERE ${deployments.id} = ${deploymentId} AND ${call.inScope(deployments.tenantId)})`,
    );
}

/** The instance of a deployment, as a subquery. */
export function instanceOf(call: Call, id: string): SQL {
  return ofDeployment(call, id, sql`${deployments.instanceId}`);
}

/** A value of this deployment, if it is in the caller's scope, as a subquery. */
export function ofDeployment(call: Call, id: string, value: SQL): SQL {
  return sql`(SELECT ${value} FROM ${deployments}
    WHERE ${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)})`;
}
