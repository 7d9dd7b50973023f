/**
 * Addresses and receivers' answers often contain tokens, with which anybody could send events there. So only admins and
 * owners, who could set them, see them; others see the host.
 */
import { isAtLeast, roleOf } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";

export function seesTokens(call: Call, tenantId: string): boolean {
  const role = roleOf(call.actor, tenantId);
  return role !== undefined && isAtLeast(role, "CustomerAdmin");
}

/** The URL for callers who may see tokens; for others its scheme and host. */
export function shownUrl(call: Call, { tenantId, url }: { tenantId: string; url: string }): string {
  return seesTokens(call, tenantId) ? url : (URL.parse(url)?.origin ?? "");
}
