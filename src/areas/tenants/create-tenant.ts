import type { Call } from "#platform/call.ts";
import { audit } from "#platform/audit.ts";
import { ApiError } from "#platform/errors.ts";
import type * as z from "zod";
import { event } from "#platform/outbox.ts";
import { type CreateTenantBody, reservedSlugs } from "./contract.ts";
import { type Tenant, tenants } from "./tables.ts";

export async function createTenant(
  call: Call,
  body: z.output<typeof CreateTenantBody>,
): Promise<Tenant> {
  await call.prove();
  const taken = new ApiError("slug_taken", `The slug "${body.slug}" is taken. Choose another.`);
  if (reservedSlugs.has(body.slug)) throw taken;
  const tenant: Tenant = {
    id: call.newId(),
    ...body,
    publicStatus: false,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: tenant.id, type: "tenant", id: tenant.id };
  return call.commit(
    tenant,
    [
      call.db.insert(tenants).values(tenant),
      audit("tenant.create", resource, { after: tenant }),
      event("tenant.created", { ...resource, sequence: tenant.version }, { slug: tenant.slug }),
    ],
    { "tenants.slug": taken },
  );
}
