/** Reads answers in tests. */
import type { Answer } from "#test/support/api.ts";

/** The pointers of the faults of a rejected request. */
export const faultsOf = ({ body }: Answer): string[] =>
  (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
export const idOf = ({ id }: { id: string }): string => id;

/** A problem without the members that identify the request. */
export function problemOf({ status, body }: Answer): object {
  const { requestId: _, instance: __, ...rest } = body;
  return { status, ...rest };
}

/** The round trips to D1 that the request took. */
export function roundTripsOf({ headers }: Answer): number {
  const spend = /d1;desc="\d+\/(\d+)"/.exec(headers.get("server-timing") ?? "");
  return Number(spend?.[1]);
}
