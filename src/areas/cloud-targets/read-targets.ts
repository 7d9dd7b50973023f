import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import { findTarget, findTargets, type TargetFilters } from "./store.ts";

export async function getTarget(call: Call, id: string): Promise<CloudTarget> {
  const [target] = await call.read(one(findTarget(call, id), "cloud target"));
  return target;
}

export async function listTargets<V>(
  call: Call,
  query: TargetFilters & PageQuery,
  view: (target: CloudTarget) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "cloud-targets", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findTargets(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
