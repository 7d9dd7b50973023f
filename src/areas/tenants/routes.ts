import type * as z from "zod";
import { route } from "#platform/http/router.ts";
import { timestamp } from "#platform/http/schemas.ts";
import { createTenantEndpoint, getTenantEndpoint, type TenantView } from "./contract.ts";
import { createTenant } from "./create-tenant.ts";
import { getTenant } from "./get-tenant.ts";
import type { Tenant } from "./tables.ts";

export const tenantRoutes = [
  route(createTenantEndpoint, (call, { body }) => createTenant(call, body), tenantView),
  route(getTenantEndpoint, (call, { params }) => getTenant(call, params.tenantId), tenantView),
];

function tenantView(tenant: Tenant): z.input<typeof TenantView> {
  return {
    id: tenant.id,
    name: tenant.name,
    slug: tenant.slug,
    limits: tenant.limits,
    allowedEmailDomains: [...tenant.allowedEmailDomains],
    createdAt: timestamp(tenant.createdAtMs),
    updatedAt: timestamp(tenant.updatedAtMs),
  };
}
