import { v7, validate } from "uuid";

/** A UUID version 7 (RFC 9562): sorts by creation time. */
export function newId(): string {
  return v7();
}

/** A deterministic UUIDv7 from a time (epoch milliseconds) and a digest (at least 32 hex digits). */
export function derivedId(ms: number, digest: string): string {
  const random = Uint8Array.from({ length: 16 }, (_, at) =>
    Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16),
  );
  return v7({ msecs: ms, random });
}

/** A lower bound for every UUIDv7 created at or after the time (epoch milliseconds), for range queries over ids. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** When a UUIDv7 was created, epoch milliseconds. */
export function createdAtMs(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The tenant id of rows that belong to the installation and to no tenant. */
/** Whether a text has the form of an id. */
export function isId(text: string): boolean {
  return validate(text);
}

export const PLATFORM = "platform";

/** A row's tenant id as responses show it: null for the platform. */
export function tenantIdView(tenantId: string): string | null {
  return tenantId === PLATFORM ? null : tenantId;
}
