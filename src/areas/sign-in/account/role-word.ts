import type { TenantRole } from "#schema/lists/roles.ts";

/** `owner` for `CustomerOwner`. */
export function roleWord(role: TenantRole): string {
  return role.replace("Customer", "").toLowerCase();
}
