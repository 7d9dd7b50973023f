import { closePage, openPage, type Page } from "#http/page.ts";
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
  query: { limit: number; cursor?: string | undefined } & TargetFilters,
  view: (target: CloudTarget) => V,
): Promise<Page<V>> {
  const { provider, environment, tenantId } = query;
  const filters = { list: "cloud-targets", provider, environment, tenantId };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findTargets(call, page, filters));
  return closePage(call, page, filters, rows, view);
}
