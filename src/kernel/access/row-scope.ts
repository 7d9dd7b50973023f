/** What a caller may see, as conditions of the statements that read it: by who they are, or by who they say they are. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { TenantRole } from "#schema/roles.ts";
import { type Actor, allowedIn, rolesFrom, sessionOf, type SessionRef } from "./access.ts";
import type { Claim } from "./claim.ts";

export interface Who {
  /** Known once they are proved. */
  actor: Actor | undefined;
  /** Who they say they are, until then. */
  claim: Claim | undefined;
  /** What a member has to be in a tenant for its rows to count; undefined: nothing in particular. */
  role: TenantRole | undefined;
}

/** The condition that a row belongs to a tenant of theirs. Nobody has any; all is an operator's and the service's. */
export function rowsOf(who: Who, column: SQLiteColumn): SQL {
  const { actor, role } = who;
  if (actor === undefined) return rowsOfClaimed(who, column);
  if (actor.kind === "key") return sql`${column} = ${actor.tenantId}`;
  if (actor.kind !== "member") return sql`${column} IS NOT NULL`;
  const tenants =
    role === undefined ? actor.memberships.map(({ tenantId }) => tenantId) : allowedIn(actor, role);
  return tenants.length === 1
    ? sql`${column} = ${tenants[0]}`
    : sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(tenants)}))`;
}

function rowsOfClaimed(who: Who, column: SQLiteColumn): SQL {
  const { claim, role } = who;
  if (claim === undefined) return sql`0`;
  if (claim.operator) return sql`${column} IS NOT NULL`;
  if ("keyId" in claim)
    return sql`${column} = (SELECT tenant_id FROM api_keys WHERE id = ${claim.keyId})`;
  const enough =
    role === undefined
      ? sql``
      : sql` AND role IN (SELECT value FROM json_each(${JSON.stringify(rolesFrom(role))}))`;
  return sql`${column} IN (SELECT tenant_id FROM members WHERE user_id = ${userIdOf(who)} AND tenant_id IS NOT NULL${enough})`;
}

export function isOperator({ actor, claim }: Who): boolean {
  if (actor === undefined) return claim?.operator === true;
  return actor.kind === "operator" || actor.kind === "system";
}

/** The id of the user who is signed in, as a scalar; NULL for everybody else. */
export function userIdOf(who: Who): SQL {
  return ofSession(who, "user_id", (session) => session.userId);
}

/** The id of the session that the request came by, as a scalar; NULL for everybody else. */
export function sessionIdOf(who: Who): SQL {
  return ofSession(who, "id", (session) => session.id);
}

function ofSession(
  { actor, claim }: Who,
  column: "id" | "user_id",
  of: (session: SessionRef) => string,
): SQL {
  const session = actor === undefined ? undefined : sessionOf(actor);
  if (session !== undefined) return sql`${of(session)}`;
  if (claim === undefined || "keyId" in claim) return sql`NULL`;
  return sql`(SELECT ${sql.raw(column)} FROM sessions WHERE digest = ${claim.sessionDigest})`;
}
