import { sql } from "drizzle-orm";
import { type DeploymentRow, findDeployment } from "#areas/deployments/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { deployments } from "#schema/deployments.ts";
import { authorizeIncluded } from "./include.ts";
import { findInstance, type InstanceRow } from "./store.ts";

/** A deployment and, if it is to be included, its instance; null: the instance was deleted. */
export async function getDeployment(
  call: Call,
  id: string,
  include: readonly "instance"[] = [],
): Promise<{ deployment: DeploymentRow; instance?: InstanceRow | null }> {
  const [deployment, [instance]] = await call.read(
    one(findDeployment(call, id), "deployment"),
    findInstance(
      call,
      include.length === 0
        ? sql`NULL`
        : sql`(SELECT ${deployments.instanceId} FROM ${deployments}
            WHERE ${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)})`,
    ),
  );
  authorizeIncluded(call, include);
  return include.length === 0 ? { deployment } : { deployment, instance: instance ?? null };
}
