import { v7 } from "uuid";

/** A UUID version 7 (RFC 9562): sorts by time of making. */
export function newId(): string {
  return v7();
}

/** What every UUIDv7 made at that time (epoch milliseconds) or later is not less than: turns a time into a range of ids. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Where a row belongs to the installation and to no tenant, its tenant column says this. */
export const PLATFORM = "platform";

/** What answers show for the owner of a row: the platform is nobody's tenant. */
export function tenantIdView(tenantId: string): string | null {
  return tenantId === PLATFORM ? null : tenantId;
}
