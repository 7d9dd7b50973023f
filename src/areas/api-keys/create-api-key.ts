import type * as z from "zod";
import { requireRoom, tenantOfNew } from "#areas/tenants/public.ts";
import { type Actor, personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import { keyPrefix, makeKey } from "#kernel/authn/api-key.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { folded } from "#platform/folded.ts";
import { PLATFORM } from "#platform/ids.ts";
import { apiKeys } from "#schema/api-keys.ts";
import type { CreateApiKeyBody } from "./contract.ts";
import { futureMs } from "./key-expiry.ts";
import { requireScopes } from "./key-rights.ts";
import { type ApiKey, isLive } from "./store.ts";

/** The secret key is in this result only; it is stored nowhere. */
export interface NewApiKey extends ApiKey {
  key: string;
}

export async function createApiKey(
  call: Call,
  body: z.output<typeof CreateApiKeyBody>,
): Promise<NewApiKey> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  requireScopes(call.actor, body.scopes);
  const expiresAtMs = futureMs(call, body.expiresAt);
  const id = call.newId();
  const key = makeKey(id, tenantId === PLATFORM);
  const row: ApiKey = {
    id,
    tenantId,
    name: body.name,
    searchText: folded(body.name),
    prefix: keyPrefix(key),
    digest: await digestHex(key),
    previousDigest: null,
    previousExpiresAtMs: null,
    scopes: body.scopes,
    createdBy: `${call.actor.kind}:${call.actor.name}`,
    creatorUserId: creatorOf(call.actor, tenantId),
    expiresAtMs,
    revokedAtMs: null,
    lastUsedAtMs: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "api_key", id };
  return call.commit({ ...row, key }, [
    ...(await requireRoom(call, "apiKeys", tenantId, apiKeys, isLive())),
    call.write(row.tenantId, call.db.insert(apiKeys).values(row)),
    audit("api_key.create", resource, { after: row }),
    event("api_key.created", { ...resource, sequence: 1 }, { prefix: row.prefix }),
  ]);
}

/** The user whose rights limit the key: its creator, or null for an operator, who has no role in the tenant. */
function creatorOf(actor: Actor, tenantId: string): string | null {
  return actor.kind === "operator" && tenantId !== PLATFORM ? null : (personOf(actor) ?? null);
}
