import { closePage, openPage, type Page, type PageQuery } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { listResources, type ResourceSummary } from "#orchestrator/client/ask-runner.ts";
import { findInstance, findInstances, type InstanceFilters, type InstanceRow } from "./store.ts";

export async function getInstance(call: Call, id: string): Promise<InstanceRow> {
  const [instance] = await call.read(one(findInstance(call, id), "instance"));
  return instance;
}

export async function listInstances<V>(
  call: Call,
  query: InstanceFilters & PageQuery,
  view: (instance: InstanceRow) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const page = await openPage(call, query, { list: "instances", ...filters });
  const [rows] = await call.read(findInstances(call, page, filters));
  return closePage(call, page, { list: "instances", ...filters }, rows, view);
}

export async function listInstanceResources(
  call: Call,
  id: string,
): Promise<{ data: ResourceSummary[]; nextCursor: null }> {
  const instance = await getInstance(call, id);
  return { data: await listResources(call.env, instance.id), nextCursor: null };
}
