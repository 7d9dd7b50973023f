import { eq } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireNoDependents } from "#kernel/call/dependents.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { invitations, members, tenantPurges, tenants } from "#schema/tenants.ts";
import { findDeployed, nothingDeployed, oneTenant, tenantIsAt } from "./store.ts";

/**
 * This commit removes everything that gives access, and the tenant's row, so that nothing new can be created
 * in it. The sweep (purge-tenants.ts) removes the rest, which may be large.
 */
export async function deleteTenant(call: Call, tenantId: string): Promise<void> {
  const [before, dependents] = await call.read(
    oneTenant(call, tenantId),
    findDeployed(call, tenantId),
  );
  call.expectVersion(before.version);
  requireNoDependents(
    "tenant",
    dependents,
    "Destroy these instances, or cancel their deployments, then repeat the request.",
  );
  const resource = { tenantId, type: "tenant", id: tenantId };
  await call.commit(undefined, [
    call.require("conflict", tenantIsAt(before)),
    call.require("in_use", nothingDeployed(tenantId)),
    call.write(tenantId, call.db.delete(apiKeys).where(eq(apiKeys.tenantId, tenantId))),
    call.write(tenantId, call.db.delete(members).where(eq(members.tenantId, tenantId))),
    call.write(tenantId, call.db.delete(invitations).where(eq(invitations.tenantId, tenantId))),
    call.write(tenantId, call.db.delete(tenants).where(eq(tenants.id, tenantId))),
    call.write(
      tenantId,
      call.db.insert(tenantPurges).values({
        id: tenantId,
        deletedAtMs: call.now,
        dueAtMs: call.now,
      }),
    ),
    audit("tenant.delete", resource, { before }),
    event(
      "tenant.deleted",
      { ...resource, sequence: before.version + 1 },
      { slug: before.slug },
      { name: before.name },
    ),
  ]);
}
