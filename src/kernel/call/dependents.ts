import { type SQL, sql } from "drizzle-orm";
import { ApiError } from "#kernel/errors.ts";

/** A user of an object: its kind in one word, and its name. */
export interface Dependent {
  kind: string;
  name: string;
}

const MOST_NAMED = 5;

/**
 * A statement for the users of an object. Each part selects `kind` and `name`. It is scoped to the caller's tenants,
 * because the names are shown.
 */
export function dependentsOf(...parts: readonly SQL[]): SQL {
  const limited = parts.map((part) => sql`SELECT * FROM (${part} LIMIT ${MOST_NAMED + 1})`);
  return sql.join(limited, sql` UNION ALL `);
}

/** Throws `in_use`, naming at most five users, unless there are none. `next`: the advice about them. */
export function requireNoDependents(
  noun: string,
  dependents: readonly Dependent[],
  next: string,
): void {
  if (dependents.length === 0) return;
  const named = dependents.slice(0, MOST_NAMED).map(({ kind, name }) => `${kind} "${name}"`);
  const more = dependents.length > named.length ? " and others" : "";
  throw new ApiError("in_use", `The ${noun} is used by ${named.join(", ")}${more}. ${next}`);
}
