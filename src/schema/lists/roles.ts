/** The roles of members and the scopes of API keys. */

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
  "metrics",
  "profiles",
  "status",
  "targets",
  "templates",
  "tenants",
  "webhooks",
] as const;

/** The scopes of API keys. `x:write` includes `x:read`; `*` is every scope. */
export const scopes = [
  "*",
  "deployments:approve",
  "listings:review",
  ...resources.flatMap((resource) =>
    resource === "audit" ||
    resource === "license" ||
    resource === "metrics" ||
    resource === "status"
      ? ([`${resource}:read`] as const)
      : ([`${resource}:read`, `${resource}:write`] as const),
  ),
];

export type Scope = (typeof scopes)[number];
