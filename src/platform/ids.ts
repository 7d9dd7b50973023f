import { v7 } from "uuid";

/** A UUID version 7 (RFC 9562): sorts by time of making. */
export function newId(): string {
  return v7();
}

/** The same UUIDv7 whenever it is asked for with the same time (epoch milliseconds) and digest (hex, 32 digits or more). */
export function derivedId(ms: number, digest: string): string {
  const random = Uint8Array.from({ length: 16 }, (_, at) =>
    Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16),
  );
  return v7({ msecs: ms, random });
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
