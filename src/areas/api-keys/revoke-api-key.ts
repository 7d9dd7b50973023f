import { sql } from "drizzle-orm";
import { requireRole } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { requireRightsOf } from "./key-rights.ts";
import { findApiKey, findCreatorRole } from "./store.ts";

/** Revoking a revoked key changes nothing. Whoever created a key may revoke it, in a session, whatever their role is now. */
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
    audit("api_key.revoke", resource, { before, after }),
    event("api_key.revoked", { ...resource, sequence: after.version }, { prefix: before.prefix }),
  ]);
}
