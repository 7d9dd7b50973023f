import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Tenant } from "#schema/tenants.ts";
import { findTenants, type TenantFilters, oneTenant } from "./store.ts";

export async function getTenant(call: Call, tenantId: string): Promise<Tenant> {
  const [tenant] = await call.read(oneTenant(call, tenantId));
  return tenant;
}

export async function listTenants<V>(
  call: Call,
  query: TenantFilters & PageQuery,
  view: (tenant: Tenant) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "tenants", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findTenants(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
