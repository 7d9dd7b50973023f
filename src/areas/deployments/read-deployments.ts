import {
  type DeploymentFilters,
  type DeploymentRow,
  findDeployment,
  findDeployments,
} from "#areas/deployment-records/public.ts";
import { findInstance, getInstanceEndpoint, type InstanceRow } from "#areas/instances/public.ts";
import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import { authorize } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { findPlan, instanceOf } from "./store.ts";

export async function getDeployment(call: Call, id: string): Promise<DeploymentRow> {
  const [deployment] = await call.read(one(findDeployment(call, id), "deployment"));
  return deployment;
}

/** A deployment and, if it is to be included, its instance; null: the instance was deleted. */
export async function getDeploymentWith(
  call: Call,
  id: string,
  include: readonly "instance"[] = [],
): Promise<{ deployment: DeploymentRow; instance?: InstanceRow | null }> {
  if (include.length === 0) return { deployment: await getDeployment(call, id) };
  const [deployment, [instance]] = await call.read(
    one(findDeployment(call, id), "deployment"),
    findInstance(call, instanceOf(call, id)),
  );
  // A caller without the right to read the instance may not read it as a part of the deployment.
  authorize(call.actor, getInstanceEndpoint.access);
  return { deployment, instance: instance ?? null };
}

export async function listDeployments<V>(
  call: Call,
  query: DeploymentFilters & PageQuery,
  view: (deployment: DeploymentRow) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const page = await openPage(call, query, { list: "deployments", ...filters });
  const [rows] = await call.read(findDeployments(call, page, filters));
  return closePage(call, page, { list: "deployments", ...filters }, rows, view);
}

/** A deployment and its plan. Throws `not_found` until the plan has been made. */
export async function getDeploymentPlan(
  call: Call,
  id: string,
): Promise<{ deployment: DeploymentRow; changes: unknown[] }> {
  const [deployment, plan] = await call.read(
    one(findDeployment(call, id), "deployment"),
    one(findPlan(call, id), "plan"),
  );
  return { deployment, changes: plan.changes };
}
