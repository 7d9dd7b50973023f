/**
 * Addresses and the answers of receivers often contain tokens, with which anybody could send events there. So
 * they are shown to whoever could set them, admins and owners; others see the host.
 */
import { isAtLeast, roleOf } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";

export function seesTokens(call: Call, tenantId: string): boolean {
  const role = roleOf(call.actor, tenantId);
  return role !== undefined && isAtLeast(role, "CustomerAdmin");
}

/** The URL, for whoever may see it; for others its scheme and host. */
export function shownUrl(call: Call, { tenantId, url }: { tenantId: string; url: string }): string {
  return seesTokens(call, tenantId) ? url : (URL.parse(url)?.origin ?? "");
}
