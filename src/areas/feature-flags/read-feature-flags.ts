import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { FeatureFlag } from "#schema/feature-flags.ts";
import { findFeatureFlag, findFeatureFlags } from "./store.ts";

export async function getFeatureFlag(call: Call, key: string): Promise<FeatureFlag> {
  const [flag] = await call.read(
    one(findFeatureFlag(call, key), "feature flag", { tenantOf: () => PLATFORM }),
  );
  return flag;
}

export async function listFeatureFlags<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
  view: (flag: FeatureFlag) => V,
): Promise<Page<V>> {
  const filters = { list: "feature-flags" };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findFeatureFlags(call, page));
  return closePage(call, page, filters, rows, view);
}
