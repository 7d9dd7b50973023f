import { v7 } from "uuid";

/** A UUID version 7 (RFC 9562): sorts by time of making. */
export function newId(): string {
  return v7();
}

/** Where a row belongs to the installation and to no tenant, its tenant column says this. */
export const PLATFORM = "platform";

/** What answers show for the owner of a row: the platform is nobody's tenant. */
export function tenantIdView(tenantId: string): string | null {
  return tenantId === PLATFORM ? null : tenantId;
}
