import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { JsonMap } from "#platform/json.ts";
import type { ByteBudget } from "./lists/byte-budgets.ts";
import type { TenantRole } from "./lists/roles.ts";

export const tenants = sqliteTable(
  "tenants",
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The name in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    slug: text().notNull().unique(),
    /** Overrides of the plan's limits, as given by the operator (kernel/limits/limits.ts); unknown names are kept. */
    limits: text({ mode: "json" }).$type<JsonMap>().notNull(),
    allowedEmailDomains: text({ mode: "json" }).$type<readonly string[]>().notNull(),
    /** Whether `/status/{slug}` shows the tenant's status to everyone. */
    publicStatus: integer({ mode: "boolean" }).notNull().default(false),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("tenants_by_name").on(sql`name COLLATE NOCASE`, t.id),
    index("tenants_by_update").on(t.updatedAtMs, t.id),
  ],
);

export type Tenant = typeof tenants.$inferSelect;

/** A user's role in a tenant. `id` identifies the membership: a user who returns is a new member. */
export const members = sqliteTable(
  "members",
  {
    id: text().primaryKey(),
    tenantId: text().notNull(),
    userId: text().notNull(),
    role: text().$type<TenantRole>().notNull(),
    /** `domain`: joined through a verified address of an allowed domain, without an invitation. */
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

/** An open invitation; deleted when accepted, declined, withdrawn or replaced. */
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
    index("invitations_of_address").on(t.email),
    index("invitations_by_inviter").on(t.invitedBy),
  ],
);

export type Invitation = typeof invitations.$inferSelect;

/**
 * The domains of `tenants.allowedEmailDomains`, one row each in lower case, to look up tenants by domain. Without a
 * proof a domain admits nobody.
 */
export const tenantEmailDomains = sqliteTable(
  "tenant_email_domains",
  {
    tenantId: text().notNull(),
    domain: text().notNull(),
    /** The required content of the domain's TXT record. Not a secret. */
    challenge: text().notNull(),
    /** The source of the last confirmation; null: none yet. */
    method: text().$type<"dns" | "operator">(),
    verifiedAtMs: integer(),
    /** The end of the proof by `dns`; null: no proof, or an operator's confirmation, which does not end. */
    verifiedUntilMs: integer(),
    /** The time at which the sweep checks the record again; null: it does not. */
    nextCheckAtMs: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.domain] }),
    index("tenant_email_domains_due")
      .on(t.nextCheckAtMs)
      .where(sql`next_check_at_ms IS NOT NULL`),
    index("tenants_by_email_domain").on(t.domain, t.tenantId),
  ],
);

/** Users who were removed from a tenant, left it or declined it: their email domain alone does not admit them. */
export const removedMembers = sqliteTable(
  "removed_members",
  {
    tenantId: text().notNull(),
    userId: text().notNull(),
    /** Their proved address, if any: it admits no other user either. */
    email: text(),
    removedAtMs: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId] }),
    index("removed_members_by_user").on(t.userId),
  ],
);

/** Deleted tenants whose rows the sweep still has to remove. */
export const tenantPurges = sqliteTable("tenant_purges", {
  /** The tenant's id. */
  id: text().primaryKey(),
  deletedAtMs: integer().notNull(),
  /** The time at which the sweep continues. */
  dueAtMs: integer().notNull(),
});

/** The bytes that a tenant stores, by budget; kept by triggers (lists/byte-budgets.ts). WITHOUT ROWID (set by hand in the migration). */
export const tenantBytes = sqliteTable(
  "tenant_bytes",
  {
    tenantId: text().notNull(),
    budget: text().$type<ByteBudget>().notNull(),
    bytes: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.budget] })],
);

/** A tenant's usage of a monthly limit. WITHOUT ROWID (set by hand in the migration). */
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
