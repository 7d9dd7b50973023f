import { eq } from "drizzle-orm";
import type * as z from "zod";
import { requireOperator } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { folded } from "#platform/text/folded.ts";
import { type Tenant, tenants } from "#schema/tenants.ts";
import type { UpdateTenantBody } from "./contract.ts";
import { indexEmailDomains } from "./email-domains/index-email-domains.ts";
import { getTenant } from "./read-tenants.ts";
import { tenantIsAt } from "./store.ts";

export async function updateTenant(
  call: Call,
  tenantId: string,
  body: z.output<typeof UpdateTenantBody>,
): Promise<Tenant> {
  const before = await getTenant(call, tenantId);
  // Tenants must not raise their own limits.
  if (body.limits !== undefined) requireOperator(call.actor);
  call.expectVersion(before.version);
  const named = {
    ...(body.name === undefined ? {} : { name: body.name, searchText: folded(body.name) }),
    ...(body.limits === undefined ? {} : { limits: body.limits }),
    ...(body.allowedEmailDomains === undefined
      ? {}
      : { allowedEmailDomains: body.allowedEmailDomains }),
    ...(body.publicStatus === undefined ? {} : { publicStatus: body.publicStatus }),
  };
  if (Object.keys(named).length === 0) return before;
  const changes = { ...named, version: before.version + 1, updatedAtMs: call.now };
  const after: Tenant = { ...before, ...changes };
  const resource = { tenantId, type: "tenant", id: tenantId };
  return call.commit(after, [
    call.require("conflict", tenantIsAt(before)),
    call.write(tenantId, call.db.update(tenants).set(changes).where(eq(tenants.id, tenantId))),
    ...(body.allowedEmailDomains === undefined ? [] : indexEmailDomains(call, after)),
    audit("tenant.update", resource, { before, after }),
    event("tenant.updated", { ...resource, sequence: after.version }, { slug: after.slug }),
  ]);
}
