import { sql } from "drizzle-orm";
import type * as z from "zod";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { folded } from "#platform/folded.ts";
import { apiKeys } from "#schema/api-keys.ts";
import type { UpdateApiKeyBody } from "./contract.ts";
import { findChangeableKey } from "./find-changeable-key.ts";
import { futureMs } from "./key-expiry.ts";
import { requireScopes } from "./key-rights.ts";
import type { ApiKey } from "./store.ts";

/** New scopes and expiry apply at once to changes, within ten seconds to reads. */
export async function updateApiKey(
  call: Call,
  id: string,
  body: z.output<typeof UpdateApiKeyBody>,
): Promise<ApiKey> {
  const before = await findChangeableKey(call, id);
  requireScopes(call.actor, body.scopes ?? []);
  const named = {
    ...(body.name === undefined ? {} : { name: body.name, searchText: folded(body.name) }),
    ...(body.scopes === undefined ? {} : { scopes: body.scopes }),
    ...(body.expiresAt === undefined ? {} : { expiresAtMs: futureMs(call, body.expiresAt) }),
  };
  if (Object.keys(named).length === 0) return before;
  const changes = { ...named, version: before.version + 1, updatedAtMs: call.now };
  const after: ApiKey = { ...before, ...changes };
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
