import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Tenant } from "#schema/tenants.ts";
import { findTenants, type TenantFilters, oneTenant } from "./store.ts";

export async function getTenant(call: Call, tenantId: string): Promise<Tenant> {
  const [tenant] = await call.read(oneTenant(call, tenantId));
  return tenant;
}

export async function listTenants<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined } & TenantFilters,
  view: (tenant: Tenant) => V,
): Promise<Page<V>> {
  const filters = { list: "tenants", q: query.q, slug: query.slug };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findTenants(call, page, query));
  return closePage(call, page, filters, rows, view);
}
