import { sql } from "drizzle-orm";
import { requireRole } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { requireRightsOf } from "./key-rights.ts";
import { findApiKey, findCreatorRole } from "./store.ts";

/** The number of a tenant's revoked keys that stay visible. The audit log keeps the history of all. */
const KEPT_REVOKED = 1_000;

/** Revoking a revoked key changes nothing. The creator of a key may revoke it in a session, whatever their role. */
export async function revokeApiKey(call: Call, id: string): Promise<void> {
  const [before, [creator]] = await call.read(
    one(findApiKey(call, id), "API key"),
    findCreatorRole(call, id),
  );
  call.expectVersion(before.version);
  if (before.revokedAtMs !== null) return;
  const isTheirs =
    call.actor.kind === "member" && call.actor.session.userId === before.creatorUserId;
  if (!isTheirs) {
    requireRole(call.actor, "CustomerAdmin", before.tenantId);
    requireRightsOf(call.actor, before, creator?.role);
  }
  const changes = {
    revokedAtMs: call.now,
    updatedAtMs: call.now,
    version: before.version + 1,
  };
  const after = { ...before, ...changes };
  const resource = { tenantId: before.tenantId, type: "api_key", id };
  await call.commit(undefined, [
    call.requireVersion(apiKeys, before),
    call.write(
      before.tenantId,
      call.db
        .update(apiKeys)
        .set(changes)
        .where(sql`${apiKeys.id} = ${id} AND ${apiKeys.tenantId} = ${before.tenantId}`),
    ),
    call.write(before.tenantId, removeOldRevoked(call, before.tenantId)),
    audit("api_key.revoke", resource, { before, after }),
    event("api_key.revoked", { ...resource, sequence: after.version }, { prefix: before.prefix }),
  ]);
}

/** Removes the oldest revoked keys beyond the kept ones. A removed key does not work either. */
function removeOldRevoked(call: Call, tenantId: string) {
  return call.db.delete(apiKeys).where(
    sql`${apiKeys.tenantId} = ${tenantId} AND ${apiKeys.id} IN (
      SELECT r.id FROM api_keys r WHERE r.tenant_id = ${tenantId} AND r.revoked_at_ms IS NOT NULL
      ORDER BY r.id DESC LIMIT 10 OFFSET ${KEPT_REVOKED})`,
  );
}
