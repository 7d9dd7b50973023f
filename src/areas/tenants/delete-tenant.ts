import { eq } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { invitations, members, tenantPurges, tenants } from "#schema/tenants.ts";
import { getTenant } from "./read-tenants.ts";
import { nothingDeployed, tenantIsAt } from "./store.ts";

/**
 * What gives access goes in this commit, and with the tenant's row nothing more can be made in it. The rest, of
 * which there may be much, is removed by the sweep (purge-tenants.ts).
 */
export async function deleteTenant(call: Call, tenantId: string): Promise<void> {
  const before = await getTenant(call, tenantId);
  call.expectVersion(before.version);
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
    event("tenant.deleted", { ...resource, sequence: before.version + 1 }, { slug: before.slug }),
  ]);
}
