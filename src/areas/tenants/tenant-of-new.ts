import { owningTenant } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { oneTenant } from "./store.ts";

/**
 * The tenant of a new object: the one that the body names, which must exist, otherwise the caller's own. For use cases
 * that read nothing else: if the body names none, it may presume the caller, which saves a round trip.
 */
export async function tenantOfNew(call: Call, named: string | undefined): Promise<string> {
  if (named === undefined) {
    await call.authenticateFromCache();
    return owningTenant(call.actor, named);
  }
  await call.read(oneTenant(call, named));
  const tenantId = owningTenant(call.actor, named);
  return tenantId;
}
