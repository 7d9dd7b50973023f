import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { listResources, type ResourceSummary } from "#orchestrator/client/ask-runner.ts";
import {
  authorizeIncluded,
  findIncluded,
  type Included,
  includedIn,
  type InstanceInclusion,
  versionWith,
} from "./include.ts";
import { type TaggedInstance, withTag } from "./instance-tag.ts";
import {
  findInstance,
  findInstances,
  type InstanceFilters,
  type InstanceRow,
  type ListedInstance,
  ofInstance,
  ofInstancesInPage,
} from "./store.ts";

export async function getInstance(call: Call, id: string): Promise<InstanceRow> {
  const [instance] = await call.read(one(findInstance(call, id), "instance"));
  return instance;
}

/** An instance with the objects that are to be included in its answer. */
export type IncludingInstance = TaggedInstance & { included?: Included };

export async function getInstanceWith(
  call: Call,
  id: string,
  include: readonly InstanceInclusion[] = [],
): Promise<IncludingInstance> {
  if (include.length === 0) return withTag(await getInstance(call, id));
  const [row, ...found] = await call.read(
    one(findInstance(call, id), "instance"),
    ...findIncluded(call, include, (column) => ofInstance(call, id, column)),
  );
  authorizeIncluded(call, include);
  const included = includedIn(call, row, include, found);
  const tagged = withTag(row);
  return { ...tagged, included, version: await versionWith(tagged.version, included) };
}

export async function listInstances<V>(
  call: Call,
  query: InstanceFilters & PageQuery & { include?: readonly InstanceInclusion[] | undefined },
  view: (instance: ListedInstance & { included?: Included }) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, include = [], ...filters } = query;
  const signed = { list: "instances", ...filters };
  const page = await openPage(call, query, signed);
  if (include.length === 0) {
    const [rows] = await call.read(findInstances(call, page, filters));
    return closePage(call, page, signed, rows, view);
  }
  const [rows, ...found] = await call.read(
    findInstances(call, page, filters),
    ...findIncluded(call, include, (column) => ofInstancesInPage(call, column, page, filters)),
  );
  authorizeIncluded(call, include);
  return closePage(call, page, signed, rows, (row) =>
    view({ ...row, included: includedIn(call, row, include, found) }),
  );
}

export async function listInstanceResources(
  call: Call,
  id: string,
): Promise<{ data: ResourceSummary[]; nextCursor: null }> {
  const instance = await getInstance(call, id);
  return { data: await listResources(call.env, instance.id), nextCursor: null };
}
