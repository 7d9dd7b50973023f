/** SQL conditions that limit statements to the caller's rows, for a verified actor or for a claim not yet verified. */
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { TenantRole } from "#schema/lists/roles.ts";
import { type Actor, allowedIn, rolesFrom, sessionOf, type SessionRef } from "./access.ts";
import type { Claim } from "./claim.ts";

export interface Who {
  /** Set once the caller is authenticated. */
  actor: Actor | undefined;
  /** The caller's claim, until authenticated. */
  claim: Claim | undefined;
  /** The role a member needs in a tenant for its rows to be in scope; undefined: any. */
  role: TenantRole | undefined;
}

/** The condition that a row is in scope: every row for operators and the service, none for an anonymous caller. */
export function rowsOf(who: Who, column: SQLiteColumn): SQL {
  const { actor, role } = who;
  if (actor === undefined) return rowsOfClaimed(who, column);
  if (actor.kind === "key") return sql`${column} = ${actor.tenantId}`;
  if (actor.kind !== "member") return sql`${column} IS NOT NULL`;
  const tenants = tenantsOf(actor, role);
  return tenants.length === 1
    ? sql`${column} = ${tenants[0]}`
    : sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(tenants)}))`;
}

function rowsOfClaimed(who: Who, column: SQLiteColumn): SQL {
  const { claim } = who;
  if (claim === undefined) return sql`0`;
  if (claim.operator) return sql`${column} IS NOT NULL`;
  if ("keyId" in claim)
    return sql`${column} = (SELECT tenant_id FROM api_keys WHERE id = ${claim.keyId})`;
  return sql`${column} IN (${claimedTenants(who)})`;
}

function claimedTenants(who: Who): SQL {
  const enough =
    who.role === undefined
      ? sql``
      : sql` AND role IN (SELECT value FROM json_each(${JSON.stringify(rolesFrom(who.role))}))`;
  return sql`SELECT tenant_id FROM members WHERE user_id = ${userIdOf(who)} AND tenant_id IS NOT NULL${enough}`;
}

/** The tenants whose rows are in scope. `everybody`: all tenants and the platform. */
export type TenantsInScope = "one" | "everybody" | SQL;

/** The tenants whose rows are in scope; for several, a query of their `tenant_id`. */
export function tenantsInScope(who: Who): TenantsInScope {
  const { actor, claim, role } = who;
  if (actor === undefined) {
    if (claim === undefined || "keyId" in claim) return "one";
    return claim.operator ? "everybody" : claimedTenants(who);
  }
  if (actor.kind === "key") return "one";
  if (actor.kind !== "member") return "everybody";
  const tenants = tenantsOf(actor, role);
  return tenants.length === 1
    ? "one"
    : sql`SELECT value AS tenant_id FROM json_each(${JSON.stringify(tenants)})`;
}

function tenantsOf(
  actor: Extract<Actor, { kind: "member" }>,
  role: TenantRole | undefined,
): readonly string[] {
  return role === undefined
    ? actor.memberships.map(({ tenantId }) => tenantId)
    : allowedIn(actor, role);
}

/** The id of the signed-in user as a SQL scalar; NULL for other callers. */
export function userIdOf(who: Who): SQL {
  return ofSession(who, "user_id", (session) => session.userId);
}

/** The id of the request's session as a SQL scalar; NULL for other callers. */
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
