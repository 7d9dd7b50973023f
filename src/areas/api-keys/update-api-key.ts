import { sql } from "drizzle-orm";
import type * as z from "zod";
import { hasScope } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { folded } from "#platform/text/folded.ts";
import { apiKeys } from "#schema/api-keys.ts";
import type { UpdateApiKeyBody } from "./contract.ts";
import { findChangeableKey } from "./find-changeable-key.ts";
import { changedExpiry, isLater } from "./key-expiry.ts";
import { requireMayWiden, requireScopes } from "./key-rights.ts";
import type { ShownKey } from "./store.ts";

/** New scopes and expiry apply at once to changes, within ten seconds to reads. */
export async function updateApiKey(
  call: Call,
  id: string,
  body: z.output<typeof UpdateApiKeyBody>,
): Promise<ShownKey> {
  const before = await findChangeableKey(call, id);
  const { scopes, expiresAt } = body;
  requireScopes(call.actor, scopes ?? []);
  const isWider = scopes?.some((scope) => !hasScope(before.scopes, scope)) === true;
  if (isWider || (expiresAt !== undefined && isLater(expiresAt, before)))
    requireMayWiden(call.actor, before);
  const named = {
    ...(body.name === undefined ? {} : { name: body.name, searchText: folded(body.name) }),
    ...(scopes === undefined ? {} : { scopes }),
    ...(expiresAt === undefined ? {} : { expiresAtMs: changedExpiry(call, expiresAt, before) }),
  };
  if (Object.keys(named).length === 0) return before;
  const changes = { ...named, version: before.version + 1, updatedAtMs: call.now };
  const after: ShownKey = { ...before, ...changes };
  const { tenantId } = before;
  return call.commit(after, [
    call.requireVersion(apiKeys, before),
    call.write(
      tenantId,
      call.db
        .update(apiKeys)
        .set(changes)
        .where(sql`${apiKeys.id} = ${id} AND ${apiKeys.tenantId} = ${tenantId}`),
    ),
    audit("api_key.update", { tenantId, type: "api_key", id }, { before, after }),
  ]);
}
