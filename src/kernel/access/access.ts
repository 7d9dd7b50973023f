/** Who may do what: roles, scopes, and the one question every endpoint asks. */
import { ApiError } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { type Scope, type TenantRole, tenantRoles } from "#schema/roles.ts";

/**
 * What an endpoint demands. `public`: nothing at all. The role `session`: somebody who is signed in, of whatever
 * tenant or none. `orSignedIn`: they too, beside operators; the use case says when.
 */
export type Access =
  | "public"
  | {
      role: TenantRole | "operator";
      scope: Exclude<Scope, "*">;
      orSignedIn?: boolean;
    }
  | { role: "session"; scope?: undefined; orSignedIn?: undefined };

export interface Membership {
  tenantId: string;
  role: TenantRole;
}

/** The sign-in that a request came by. */
export interface SessionRef {
  id: string;
  userId: string;
}

export type Actor =
  /**
   * May act for the platform and for any tenant. `session`: somebody on the operator list, signed in. `userId`: who of
   * that list made the key.
   */
  | {
      kind: "operator";
      name: string;
      scopes: readonly string[];
      session?: SessionRef;
      userId?: string;
    }
  /** A tenant's API key. `role`: what its creator is in the tenant now. `userId`: the creator; none: an operator. */
  | {
      kind: "key";
      name: string;
      tenantId: string;
      scopes: readonly string[];
      role: TenantRole;
      userId?: string;
    }
  /** Somebody who is signed in, with what they are in their tenants now: in one, in several or in none. */
  | {
      kind: "member";
      /** The user's id. */
      name: string;
      session: SessionRef;
      scopes: readonly string[];
      memberships: readonly Membership[];
    }
  /** A part of the service itself: a sweep, a runner. */
  | { kind: "system"; name: string };

/**
 * Throws `forbidden`, naming what is missing, unless the actor may use an endpoint with this rule: a member, in
 * one of their tenants at least. In which, `Call` sees to: it shows them those alone.
 */
export function authorize(actor: Actor, access: Access): void {
  if (access === "public" || actor.kind === "system") return;
  if (access.role === "session") {
    if (sessionOf(actor) === undefined)
      throw new ApiError("forbidden", "This is for people who are signed in, not for API keys.");
    return;
  }
  if (!hasScope(actor.scopes, access.scope))
    throw new ApiError("forbidden", `The API key lacks the scope ${access.scope}.`);
  if (actor.kind === "operator") return;
  if (access.role === "operator") {
    if (actor.kind === "member" && access.orSignedIn === true) return;
    throw operatorsOnly();
  }
  if (actor.kind === "key") {
    if (!isAtLeast(actor.role, access.role)) throw needsRole(access.role);
    return;
  }
  if (actor.memberships.length === 0)
    throw new ApiError("forbidden", "You are a member of no tenant. Ask for an invitation.");
  if (allowedIn(actor, access.role).length === 0) throw needsRole(access.role);
}

/** Whether `authorize` lets them. */
export function mayUse(actor: Actor, access: Access): boolean {
  try {
    authorize(actor, access);
    return true;
  } catch {
    return false;
  }
}

/** What a member has to be in a tenant to use the endpoint there; undefined: nothing in particular. */
export function memberRoleFor(access: Access): TenantRole | undefined {
  if (access === "public") return undefined;
  return access.role === "session" || access.role === "operator" ? undefined : access.role;
}

/** Throws `forbidden` unless the actor is at least this in the tenant. */
export function requireRole(actor: Actor, needed: TenantRole, tenantId: string): void {
  const role = roleOf(actor, tenantId);
  if (role === undefined || !isAtLeast(role, needed)) throw needsRole(needed);
}

/** Throws `forbidden` unless the actor is an operator. */
export function requireOperator(actor: Actor): void {
  if (actor.kind === "key" || actor.kind === "member") throw operatorsOnly();
}

export function operatorsOnly(): ApiError {
  return new ApiError("forbidden", "Only an operator may do this.");
}

export function needsRole(role: TenantRole): ApiError {
  return new ApiError("forbidden", `This needs the role ${role}.`);
}

export function isAtLeast(role: TenantRole, needed: TenantRole): boolean {
  return tenantRoles.indexOf(role) >= tenantRoles.indexOf(needed);
}

/** The roles that are at least this, weakest first. */
export function rolesFrom(needed: TenantRole): readonly TenantRole[] {
  return tenantRoles.slice(tenantRoles.indexOf(needed));
}

/** The tenants in which the member is at least this. */
export function allowedIn(
  { memberships }: { memberships: readonly Membership[] },
  needed: TenantRole,
): readonly string[] {
  return memberships.filter(({ role }) => isAtLeast(role, needed)).map(({ tenantId }) => tenantId);
}

/** What the actor is in the tenant; undefined: nothing. Operators and the service itself are as good as owners. */
export function roleOf(actor: Actor, tenantId: string): TenantRole | undefined {
  if (actor.kind === "key") return actor.tenantId === tenantId ? actor.role : undefined;
  if (actor.kind === "member")
    return actor.memberships.find((membership) => membership.tenantId === tenantId)?.role;
  return "CustomerOwner";
}

/** Whether the actor is of the tenant, in whatever role, or stands above all of them. */
export function isOf(actor: Actor, tenantId: string): boolean {
  return roleOf(actor, tenantId) !== undefined;
}

/** The tenant the actor acts for when it names none; undefined: none, or several. */
export function soleTenant(actor: Actor): string | undefined {
  if (actor.kind === "key") return actor.tenantId;
  if (actor.kind !== "member" || actor.memberships.length > 1) return undefined;
  return actor.memberships[0]?.tenantId;
}

/** The sign-in the actor came by; undefined: it did not. */
export function sessionOf(actor: Actor): SessionRef | undefined {
  return actor.kind === "member" || actor.kind === "operator" ? actor.session : undefined;
}

/** The person behind the actor, by user id: who is signed in, or who made the key. Undefined: nobody known. */
export function personOf(actor: Actor): string | undefined {
  const session = sessionOf(actor);
  if (session !== undefined) return session.userId;
  return actor.kind === "key" || actor.kind === "operator" ? actor.userId : undefined;
}

export function hasScope(has: readonly string[], needed: string): boolean {
  return (
    has.includes("*") ||
    has.includes(needed) ||
    (needed.endsWith(":read") && has.includes(needed.replace(/:read$/, ":write")))
  );
}

/**
 * The tenant a new object belongs to. A body's `tenantId` that is not the caller's own names, for that
 * caller, no tenant: 404. Omitted: the caller's own, of which a member may have several and must say which; for
 * an operator the platform itself. An operator's `tenantId` still has to exist: the caller of this function
 * checks that.
 */
export function owningTenant(actor: Actor, tenantId: string | undefined): string {
  if (actor.kind !== "key" && actor.kind !== "member") return tenantId ?? PLATFORM;
  if (tenantId !== undefined) {
    if (!isOf(actor, tenantId)) throw new ApiError("not_found", "There is no such tenant.");
    return tenantId;
  }
  const sole = soleTenant(actor);
  if (sole === undefined) throw tenantRequired("body", "/tenantId");
  return sole;
}

/** A member of several tenants did not say which one is meant. */
export function tenantRequired(place: "body" | "query", pointer: string): ApiError {
  return new ApiError("validation_failed", "You are a member of several tenants: say which.", {
    faults: [{ in: place, pointer, code: "required", detail: "Name one of your tenants." }],
  });
}
