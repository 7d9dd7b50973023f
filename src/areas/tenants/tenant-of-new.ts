import { owningTenant } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import { oneTenant } from "./store.ts";

/**
 * The tenant in which the caller makes something: the one the body names, which has to exist, else their own. For a
 * use case that reads nothing else: without a name it may presume the caller, and so saves its first round trip.
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
