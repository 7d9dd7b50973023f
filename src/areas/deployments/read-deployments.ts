import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import {
  type DeploymentFilters,
  type DeploymentRow,
  findDeployment,
  findDeployments,
  findPlan,
} from "./store.ts";

export async function getDeployment(call: Call, id: string): Promise<DeploymentRow> {
  const [deployment] = await call.read(one(findDeployment(call, id), "deployment"));
  return deployment;
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
