/** Authorization: roles, scopes, and the check that every endpoint makes. */
import { ApiError } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { type Scope, type TenantRole, tenantRoles } from "#schema/lists/roles.ts";

/**
 * The requirement of an endpoint. `public`: none. The role `session`: a signed-in user, in any tenant or none.
 * `orSignedIn`: signed-in users as well as operators; the use case decides when. `orSelf`: also members of every role
 * for requests about themselves; for all others, the use case requires the role.
 */
export type Access =
  | "public"
  | {
      role: TenantRole | "operator";
      scope: Exclude<Scope, "*">;
      orSignedIn?: boolean;
      orSelf?: boolean;
    }
  | { role: "session"; scope?: undefined; orSignedIn?: undefined; orSelf?: undefined };

export interface Membership {
  tenantId: string;
  role: TenantRole;
}

/** A key above another one, with the number of its rotations without an overlap when it created the next. */
export type Ancestor = readonly [keyId: string, generation: number];

/** The key of a request. */
export interface KeyRef {
  id: string;
  generation: number;
  ancestors: readonly Ancestor[];
  /** The earliest expiry of the key and the keys above it; null: never. */
  endsAtMs: number | null;
}

/** The session of a request. */
export interface SessionRef {
  id: string;
  userId: string;
}

export type Actor =
  /**
   * May act for the platform and for any tenant. `session`: set if signed in as an operator. `person`: the owner of the
   * key. `key`: undefined for a session, and for `BOOTSTRAP_API_KEY`.
   */
  | {
      kind: "operator";
      name: string;
      scopes: readonly string[];
      session?: SessionRef;
      person?: string;
      key?: KeyRef;
    }
  /**
   * A tenant's API key. `role`: the creator's current role there. `userId`: the creator; undefined: an operator.
   * `person`: the owner of the key, also if an operator.
   */
  | {
      kind: "key";
      name: string;
      /** The key's name for people. */
      displayName?: string;
      tenantId: string;
      scopes: readonly string[];
      role: TenantRole;
      userId?: string;
      person?: string;
      key?: KeyRef;
    }
  /** A signed-in user with the current memberships: of one tenant, several or none. */
  | {
      kind: "member";
      /** The user's id. */
      name: string;
      /** The person's name; undefined: unknown. */
      displayName?: string;
      session: SessionRef;
      scopes: readonly string[];
      memberships: readonly Membership[];
    }
  /** A part of the service, such as a sweep or a runner. */
  | { kind: "system"; name: string };

/**
 * Throws `forbidden`, naming the missing right, unless the actor may use an endpoint with this rule. A member needs the
 * role in at least one tenant: a list then shows only those tenants (`permitted`), and a row found by its id is
 * authorized in its own tenant when it is loaded (`one`).
 */
export function authorize(actor: Actor, access: Access): void {
  if (access === "public" || actor.kind === "system") return;
  if (access.role === "session") {
    if (sessionOf(actor) === undefined)
      throw new ApiError("forbidden", "This requires a signed-in user; API keys cannot use it.");
    return;
  }
  if (!hasScope(actor.scopes, access.scope)) {
    const isBelow = (keyOf(actor)?.ancestors.length ?? 0) > 0;
    const which = isBelow ? "The API key, or one that it was created with," : "The API key";
    throw new ApiError("forbidden", `${which} lacks the scope ${access.scope}.`);
  }
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
    throw new ApiError("forbidden", "You are not a member of any tenant. Ask for an invitation.");
  const needed = memberRoleFor(access) ?? access.role;
  if (allowedIn(actor, needed).length === 0) throw needsRole(needed);
}

/** Whether `authorize` allows the access. */
export function mayUse(actor: Actor, access: Access): boolean {
  try {
    authorize(actor, access);
    return true;
  } catch {
    return false;
  }
}

/** Whether the actor may use an endpoint with this rule for an object of the tenant. */
export function mayIn(
  actor: Actor,
  { role, scope }: { role: TenantRole; scope: string },
  tenantId: string,
): boolean {
  const held = roleOf(actor, tenantId);
  return held !== undefined && isAtLeast(held, role) && mayUse(actor, { role, scope });
}

/** The role that a member needs in a tenant to use the endpoint there; undefined: any. */
export function memberRoleFor(access: Access): TenantRole | undefined {
  if (access === "public") return undefined;
  if (access.orSelf === true) return "CustomerViewer";
  return access.role === "session" || access.role === "operator" ? undefined : access.role;
}

/** Throws `forbidden` unless the actor has at least this role in the tenant. */
export function requireRole(actor: Actor, needed: TenantRole, tenantId: string): void {
  const role = roleOf(actor, tenantId);
  if (role === undefined || !isAtLeast(role, needed)) throw needsRole(needed);
}

/** Throws `forbidden` unless the actor has these rights in the tenant. `what`: the act that needs them. */
export function requireFor(
  what: string,
  { role, scope }: { role: TenantRole; scope: Exclude<Scope, "*"> },
  { actor, tenantId }: { actor: Actor; tenantId: string },
): void {
  if (actor.kind === "system") return;
  if (!hasScope(actor.scopes, scope))
    throw new ApiError("forbidden", `${what} needs the scope ${scope}, which the API key lacks.`);
  const has = roleOf(actor, tenantId);
  if (has === undefined || !isAtLeast(has, role))
    throw new ApiError("forbidden", `${what} needs the role ${role}.`);
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

/** The roles that include this one, weakest first. */
export function rolesFrom(needed: TenantRole): readonly TenantRole[] {
  return tenantRoles.slice(tenantRoles.indexOf(needed));
}

/** The tenants in which the member has at least this role. */
export function allowedIn(
  { memberships }: { memberships: readonly Membership[] },
  needed: TenantRole,
): readonly string[] {
  return memberships.filter(({ role }) => isAtLeast(role, needed)).map(({ tenantId }) => tenantId);
}

/** The actor's role in the tenant; undefined: none. Operators and the service itself count as owners. */
export function roleOf(actor: Actor, tenantId: string): TenantRole | undefined {
  if (actor.kind === "key") return actor.tenantId === tenantId ? actor.role : undefined;
  if (actor.kind === "member")
    return actor.memberships.find((membership) => membership.tenantId === tenantId)?.role;
  return "CustomerOwner";
}

/** Whether the actor has any role in the tenant, or acts for all tenants. */
export function isOf(actor: Actor, tenantId: string): boolean {
  return roleOf(actor, tenantId) !== undefined;
}

/** Whether the actor belongs to the tenant itself, and does not act for every tenant. */
export function belongsTo(actor: Actor, tenantId: string): boolean {
  const actsForAll = actor.kind === "operator" || actor.kind === "system";
  return actsForAll ? tenantId === PLATFORM : isOf(actor, tenantId);
}

/** The actor's only tenant; undefined: it has none or several. */
export function soleTenant(actor: Actor): string | undefined {
  if (actor.kind === "key") return actor.tenantId;
  if (actor.kind !== "member" || actor.memberships.length > 1) return undefined;
  return actor.memberships[0]?.tenantId;
}

/** The actor's session; undefined: it has none. */
export function sessionOf(actor: Actor): SessionRef | undefined {
  return actor.kind === "member" || actor.kind === "operator" ? actor.session : undefined;
}

/** All keys created from `BOOTSTRAP_API_KEY`, directly or not, count as one person's. */
export const BOOTSTRAP_PERSON = "bootstrap";

/** The actor as rows keep it: `key:<id>`, `member:<user id>`. */
export function actorText({ kind, name }: Actor): string {
  return `${kind}:${name}`;
}

/** The present name of the person or key. Null: an operator, or a person without one. */
export function displayNameOf(actor: Actor): string | null {
  return actor.kind === "key" || actor.kind === "member" ? (actor.displayName ?? null) : null;
}

/** The person who acts: the signed-in user's id, or the owner of the key; undefined: the service itself. */
export function personOf(actor: Actor): string | undefined {
  const session = sessionOf(actor);
  if (session !== undefined) return session.userId;
  return actor.kind === "key" || actor.kind === "operator" ? actor.person : undefined;
}

/** The key of the request; undefined: none, or `BOOTSTRAP_API_KEY`. */
export function keyOf(actor: Actor): KeyRef | undefined {
  return actor.kind === "key" || actor.kind === "operator" ? actor.key : undefined;
}

export function hasScope(has: readonly string[], needed: string): boolean {
  return (
    has.includes("*") ||
    has.includes(needed) ||
    (needed.endsWith(":read") && has.includes(needed.replace(/:read$/, ":write")))
  );
}

/**
 * The tenant of a new object. A `tenantId` in the body that is not in the caller's scope throws `not_found`. If
 * omitted, it is the caller's own tenant, and for an operator the platform. A member of several tenants must name one.
 * The use case checks that an operator's `tenantId` exists.
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

/** The error for a member of several tenants who named none. */
export function tenantRequired(place: "body" | "query", pointer: string): ApiError {
  return new ApiError("validation_failed", "You are a member of several tenants: name one.", {
    faults: [{ in: place, pointer, code: "required", detail: "Name one of your tenants." }],
  });
}
