import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { requireRightsOf } from "./key-rights.ts";
import { findApiKey, findCreatorRole, type ShownKey } from "./store.ts";

/** The key, if the caller may change or rotate it and `If-Match` holds. */
export async function findChangeableKey(call: Call, id: string): Promise<ShownKey> {
  const [key, [creator]] = await call.read(
    one(findApiKey(call, id), "API key"),
    findCreatorRole(call, id),
  );
  requireRightsOf(call.actor, key, creator?.role);
  call.expectVersion(key.version);
  if (key.revokedAtMs !== null)
    throw new ApiError(
      "invalid_state",
      "The API key is revoked and cannot be changed. Create a new key.",
    );
  return key;
}
