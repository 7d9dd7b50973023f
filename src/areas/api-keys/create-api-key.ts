import type * as z from "zod";
import { enforcePlanLimit, tenantOfNew } from "#areas/tenants/public.ts";
import { type Actor, actorText, BOOTSTRAP_PERSON, keyOf, personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import { keyPrefix, makeKey } from "#kernel/authn/api-key.ts";
import { ancestorsBelow } from "#kernel/authn/key-lineage.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { PLATFORM } from "#platform/ids.ts";
import { folded } from "#platform/text/folded.ts";
import { apiKeys } from "#schema/api-keys.ts";
import type { CreateApiKeyBody } from "./contract.ts";
import { newExpiry } from "./key-expiry.ts";
import { enforceKeyDepth, requireScopes } from "./key-rights.ts";
import { type ApiKey, isLive, type ShownKey } from "./store.ts";

/** Only this result has the secret key; it is not stored. */
export interface NewApiKey extends ShownKey {
  key: string;
}

export async function createApiKey(
  call: Call,
  body: z.output<typeof CreateApiKeyBody>,
): Promise<NewApiKey> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  requireScopes(call.actor, body.scopes);
  const parent = keyOf(call.actor);
  if (parent !== undefined) enforceKeyDepth(parent);
  const person = personOf(call.actor);
  if (person === undefined) throw new Error("Nobody creates a key");
  const expiresAtMs = newExpiry(call, body.expiresAt);
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
    createdBy: actorText(call.actor),
    creatorUserId: creatorOf(call.actor, tenantId),
    person,
    ancestors: parent === undefined ? [] : ancestorsBelow(parent),
    generation: 0,
    expiresAtMs,
    revokedAtMs: null,
    lastUsedAtMs: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "api_key", id };
  return call.commit({ ...row, endedByKeyId: null, aboveEndsAtMs: null, key }, [
    ...(await enforcePlanLimit(call, "apiKeys", tenantId, apiKeys, isLive())),
    call.write(row.tenantId, call.db.insert(apiKeys).values(row)),
    audit("api_key.create", resource, { after: row }),
    event("api_key.created", { ...resource, sequence: 1 }, { prefix: row.prefix }),
  ]);
}

/** The user whose rights limit the key: its creator, or null for an operator, who has no role in the tenant. */
function creatorOf(actor: Actor, tenantId: string): string | null {
  if (actor.kind === "key") return actor.userId ?? null;
  if (actor.kind === "operator" && tenantId !== PLATFORM) return null;
  const person = personOf(actor);
  return person === undefined || person === BOOTSTRAP_PERSON ? null : person;
}
