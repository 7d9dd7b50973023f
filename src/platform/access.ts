/** Who may do what: roles, scopes, and the one question every endpoint asks. */
import { ApiError } from "./errors.ts";
import { PLATFORM } from "./ids.ts";

export const tenantRoles = [
  "CustomerViewer",
  "CustomerDeveloper",
  "CustomerAdmin",
  "CustomerOwner",
] as const;

/** A member's role in a tenant, weakest first. */
export type TenantRole = (typeof tenantRoles)[number];

const resources = [
  "api_keys",
  "audit",
  "deployments",
  "feature_flags",
  "imports",
  "incidents",
  "instances",
  "license",
  "listings",
  "members",
  "profiles",
  "status",
  "targets",
  "templates",
  "tenants",
  "webhooks",
] as const;

/** What an API key may be given. `x:write` includes `x:read`; `*` is every scope. */
export const scopes = [
  "*",
  "deployments:approve",
  "listings:review",
  ...resources.flatMap((resource) =>
    resource === "audit" || resource === "license" || resource === "status"
      ? ([`${resource}:read`] as const)
      : ([`${resource}:read`, `${resource}:write`] as const),
  ),
];

export type Scope = (typeof scopes)[number];

/** What an endpoint demands. `public`: nothing at all. */
export type Access = "public" | { role: TenantRole | "operator"; scope: Exclude<Scope, "*"> };

export type Actor =
  /** May act for the platform and for any tenant. */
  | { kind: "operator"; name: string; scopes: readonly string[] }
  /** A tenant's API key. `role`: what its creator is in the tenant now. `userId`: the creator; none: an operator. */
  | {
      kind: "key";
      name: string;
      tenantId: string;
      scopes: readonly string[];
      role: TenantRole;
      userId?: string;
    }
  /** A part of the service itself: a sweep, a runner. */
  | { kind: "system"; name: string };

/** Throws `forbidden`, naming what is missing, unless the actor may use an endpoint with this rule. */
export function demand(actor: Actor, access: Access): void {
  if (access === "public" || actor.kind === "system") return;
  if (!hasScope(actor.scopes, access.scope))
    throw new ApiError("forbidden", `The API key lacks the scope ${access.scope}.`);
  demandRole(actor, access.role);
}

/** Throws `forbidden` unless the actor is at least this in its tenant. */
export function demandRole(actor: Actor, needed: TenantRole | "operator"): void {
  if (actor.kind !== "key") return;
  if (needed === "operator") throw new ApiError("forbidden", "Only an operator may do this.");
  if (!isAtLeast(actor.role, needed))
    throw new ApiError("forbidden", `This needs the role ${needed}.`);
}

export function isAtLeast(role: TenantRole, needed: TenantRole): boolean {
  return tenantRoles.indexOf(role) >= tenantRoles.indexOf(needed);
}

/** What the actor is in a tenant it may act for. Operators and the service itself are as good as owners. */
export function roleOf(actor: Actor): TenantRole {
  return actor.kind === "key" ? actor.role : "CustomerOwner";
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
 * caller, no tenant: 404. Omitted: the caller's own; for an operator the platform itself. An operator's
 * `tenantId` still has to exist: the caller of this function checks that.
 */
export function owningTenant(actor: Actor, tenantId: string | undefined): string {
  if (actor.kind !== "key") return tenantId ?? PLATFORM;
  if (tenantId !== undefined && tenantId !== actor.tenantId)
    throw new ApiError("not_found", "There is no such tenant.");
  return actor.tenantId;
}
