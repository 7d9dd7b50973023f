import type { TenantRole } from "#schema/lists/roles.ts";

const words: Readonly<Record<TenantRole, string>> = {
  CustomerViewer: "viewer",
  CustomerDeveloper: "developer",
  CustomerAdmin: "admin",
  CustomerOwner: "owner",
};

export function roleWord(role: TenantRole): string {
  return words[role];
}
