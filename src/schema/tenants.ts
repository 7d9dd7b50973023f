import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { TenantRole } from "./roles.ts";

export const tenants = sqliteTable("tenants", {
  id: text().primaryKey(),
  name: text().notNull(),
  slug: text().notNull().unique(),
  /** As the operator wrote them, over the plan's (platform/limits.ts); what is not understood is kept. */
  limits: text({ mode: "json" }).$type<JsonMap>().notNull(),
  allowedEmailDomains: text({ mode: "json" }).$type<readonly string[]>().notNull(),
  /** Whether `/status/{slug}` shows the tenant's status to everyone. */
  publicStatus: integer({ mode: "boolean" }).notNull().default(false),
  version: integer().notNull(),
  createdAtMs: integer().notNull(),
  updatedAtMs: integer().notNull(),
});

export type Tenant = typeof tenants.$inferSelect;

/** A user's role in a tenant. `id` is the membership's: one who comes back is a new member. */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    userId: text().notNull(),
    role: text().$type<TenantRole>().notNull(),
    /** `domain`: the address they proved is of a domain the tenant allows, and nobody else let them in. */
    via: text().$type<"domain">(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    uniqueIndex("members_by_user").on(t.tenantId, t.userId),
    index("members_by_tenant").on(t.tenantId, t.id),
    index("members_of_user").on(t.userId),
  ],
);

/** An open invitation: it goes when it is accepted, withdrawn or replaced. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    /** In lower case. */
    email: text().notNull(),
    role: text().$type<TenantRole>().notNull(),
    /** SHA-256 of the token, hex. */
    digest: text().notNull(),
    invitedBy: text().notNull(),
    version: integer().notNull(),
    expiresAtMs: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    uniqueIndex("invitations_by_email").on(t.tenantId, t.email),
    index("invitations_by_tenant").on(t.tenantId, t.id),
    uniqueIndex("invitations_by_digest").on(t.digest),
  ],
);

export type Invitation = typeof invitations.$inferSelect;

/** The domains of `tenants.allowedEmailDomains`, in lower case, one by one, to find tenants by. */
export const tenantEmailDomains = sqliteTable(
  "tenant_email_domains",
  {
    tenantId: text().notNull(),
    domain: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.domain] }),
    index("tenants_by_email_domain").on(t.domain, t.tenantId),
  ],
);

/** Who was removed from a tenant: the domain of their address alone does not let them in again. */
export const removedMembers = sqliteTable(
  "removed_members",
  {
    tenantId: text().notNull(),
    userId: text().notNull(),
    removedAtMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId] }),
    index("removed_members_by_user").on(t.userId),
  ],
);

/** Tenants that are deleted and whose rows the sweep has yet to remove. */
export const tenantPurges = sqliteTable("tenant_purges", {
  /** The tenant. */
  id: text().primaryKey(),
  deletedAtMs: integer().notNull(),
  /** When the sweep goes on with it. */
  dueAtMs: integer().notNull(),
});

/** What a tenant has used of a monthly limit. WITHOUT ROWID (set by hand in the migration). */
export const monthlyUsage = sqliteTable(
  "monthly_usage",
  {
    tenantId: text().notNull(),
    /** `2026-11`, UTC. */
    month: text().notNull(),
    /** The name of the limit. */
    limitName: text().notNull(),
    used: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.month, t.limitName] })],
);
