/**
 * Reads one object by its id. The statement finds it in any of the caller's tenants. Decoding authorizes the loaded
 * row, before the use case sees it: 404 if there is none or it is foreign, 403 if the caller's role in its tenant is
 * too low for the endpoint (decision 0024).
 */
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import { type Actor, isAtLeast, needsRole, roleOf } from "#kernel/access/access.ts";
import { notFound } from "#kernel/errors.ts";
import type { Statement } from "#platform/db/client.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { strangerError } from "./stranger-error.ts";

/** A statement that finds at most one row, for `Call.read`. Its result is the row. */
export interface One<R> {
  one: Statement;
  /** The row, or `not_found` or `forbidden`. */
  decode: (rows: unknown, caller: { actor: Actor | undefined; role: TenantRole | undefined }) => R;
}

interface OneOptions {
  /** The statement also finds rows of other tenants (a published listing). The use case decides on those. */
  shared?: boolean;
  /** The endpoint's role is not required in the row's tenant: everyone who sees the row may use it. */
  anyRole?: boolean;
}

/** `noun`: the kind of object, for the error. `tenantOf`: the tenant of a row without `tenantId`. */
export function one<R extends { tenantId: string }>(
  statement: RunnableQuery<R[], "sqlite">,
  noun: string,
  options?: OneOptions,
): One<R>;
export function one<R extends object>(
  statement: RunnableQuery<R[], "sqlite">,
  noun: string,
  options: OneOptions & { tenantOf: (row: R) => string },
): One<R>;
export function one<R extends object>(
  statement: RunnableQuery<R[], "sqlite">,
  noun: string,
  options: OneOptions & { tenantOf?: (row: R) => string } = {},
): One<R> {
  const tenantOf = options.tenantOf ?? ((row: R) => (row as R & { tenantId: string }).tenantId);
  return {
    one: statement as Statement,
    decode: (rows, { actor, role }) => {
      const [row] = rows as R[];
      if (row === undefined) throw notFound(noun);
      if (role === undefined) return row;
      if (actor === undefined) throw strangerError();
      const tenantId = tenantOf(row);
      const held = roleOf(actor, tenantId);
      if (held === undefined) {
        // Everyone may use the platform's rows. The use case checks that only operators change them.
        if (options.shared === true || tenantId === PLATFORM) return row;
        throw notFound(noun);
      }
      if (options.anyRole !== true && !isAtLeast(held, role)) throw needsRole(role);
      return row;
    },
  };
}

/** A `one` for an object that the request may name; undefined if it does not. */
export function oneIf<R>(isNamed: boolean, entry: One<R>): One<R | undefined> {
  return {
    one: entry.one,
    decode: (rows, caller) => (isNamed ? entry.decode(rows, caller) : undefined),
  };
}

export function isOne(read: Statement | One<unknown>): read is One<unknown> {
  return "one" in read;
}
