import { sql } from "drizzle-orm";
import { endInvitations } from "#areas/tenants/public.ts";
import { DEFAULT_OVERLAP_SECONDS } from "#http/schemas.ts";
import { audit } from "#kernel/audit/audit.ts";
import { keyPrefix, makeKey } from "#kernel/authn/api-key.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { PLATFORM } from "#platform/ids.ts";
import { apiKeys } from "#schema/api-keys.ts";
import type { NewApiKey } from "./create-api-key.ts";
import { findChangeableKey } from "./find-changeable-key.ts";
import { requireOwn } from "./key-rights.ts";
import type { ShownKey } from "./store.ts";

/**
 * At most one previous secret keeps working: with several, nobody could tell which are still in use. Without an overlap
 * the old secret counts as leaked, so the keys and invitations that the key made end with it. The expiry stays.
 */
export async function rotateApiKey(
  call: Call,
  id: string,
  overlapSeconds = DEFAULT_OVERLAP_SECONDS,
): Promise<NewApiKey> {
  const before = await findChangeableKey(call, id);
  requireOwn(call.actor, before);
  const { tenantId } = before;
  const key = makeKey(id, tenantId === PLATFORM);
  const overlaps = overlapSeconds > 0;
  const changes = {
    prefix: keyPrefix(key),
    digest: await digestHex(key),
    previousDigest: overlaps ? before.digest : null,
    previousExpiresAtMs: overlaps ? call.now + overlapSeconds * 1000 : null,
    ...(overlaps ? {} : { generation: before.generation + 1 }),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const after: ShownKey = { ...before, ...changes };
  const resource = { tenantId, type: "api_key", id };
  return call.commit({ ...after, key }, [
    call.requireVersion(apiKeys, before),
    call.write(
      tenantId,
      call.db
        .update(apiKeys)
        .set(changes)
        .where(sql`${apiKeys.id} = ${id} AND ${apiKeys.tenantId} = ${tenantId}`),
    ),
    ...(overlaps ? [] : [endInvitations(call, before)]),
    audit("api_key.rotate", resource, { before, after }),
    event("api_key.rotated", { ...resource, sequence: after.version }, { prefix: after.prefix }),
  ]);
}
