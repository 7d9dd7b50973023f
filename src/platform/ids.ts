import { v7 } from "uuid";

/** A UUID version 7 (RFC 9562): sorts by time of making. */
export function newId(): string {
  return v7();
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/** Where a row belongs to the installation and to no tenant, its tenant column says this. */
export const PLATFORM = "platform";

/** What answers show for the owner of a row: the platform is nobody's tenant. */
export function tenantIdView(tenantId: string): string | null {
  return tenantId === PLATFORM ? null : tenantId;
}
