import type * as z from "zod";
import { findTenant } from "#areas/tenants/public.ts";
import { hasScope, owningTenant } from "#platform/access.ts";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { keyPrefix, makeKey } from "#platform/crypto/api-key.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { apiKeys } from "#platform/db/tables.ts";
import { ApiError, notFound } from "#platform/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { event } from "#platform/outbox.ts";
import type { CreateApiKeyBody } from "./contract.ts";
import type { ApiKey } from "./store.ts";

/** The key itself is in the result, and nowhere else, ever. */
export interface NewApiKey extends ApiKey {
  key: string;
}

export async function createApiKey(
  call: Call,
  body: z.output<typeof CreateApiKeyBody>,
): Promise<NewApiKey> {
  const [[tenant]] = await call.read(findTenant(call, body.tenantId ?? ""));
  const tenantId = owningTenant(call.actor, body.tenantId);
  if (body.tenantId !== undefined && tenant === undefined) throw notFound("tenant");
  demandScopes(call, body.scopes);
  const expiresAtMs = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
  if (expiresAtMs !== null && expiresAtMs <= call.now)
    throw new ApiError("validation_failed", "The key would be expired from the start.", {
      faults: [
        {
          in: "body",
          pointer: "/expiresAt",
          code: "in_the_past",
          detail: "Must be in the future.",
        },
      ],
    });
  const id = call.newId();
  const key = makeKey(id, tenantId === PLATFORM);
  const row: ApiKey = {
    id,
    tenantId,
    name: body.name,
    prefix: keyPrefix(key),
    digest: await digestHex(key),
    scopes: body.scopes,
    createdBy: `${call.actor.kind}:${call.actor.name}`,
    expiresAtMs,
    revokedAtMs: null,
    lastUsedAtMs: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "api_key", id };
  return call.commit({ ...row, key }, [
    call.db.insert(apiKeys).values(row),
    audit("api_key.create", resource, { after: row }),
    event("api_key.created", { ...resource, sequence: 1 }, { prefix: row.prefix }),
  ]);
}

function demandScopes(call: Call, wanted: readonly string[]): void {
  const { actor } = call;
  if (actor.kind === "system") return;
  const missing = wanted.filter((scope) => !hasScope(actor.scopes, scope));
  if (missing.length > 0)
    throw new ApiError("forbidden", `The caller's own key lacks ${missing.join(", ")}.`);
}
