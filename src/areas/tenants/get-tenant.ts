import type { Call } from "#platform/call.ts";
import { notFound } from "#platform/errors.ts";
import { findTenant } from "./store.ts";
import type { Tenant } from "./tables.ts";

export async function getTenant(call: Call, tenantId: string): Promise<Tenant> {
  const [[tenant]] = await call.read(findTenant(call, tenantId));
  if (tenant === undefined) throw notFound("tenant");
  return tenant;
}
