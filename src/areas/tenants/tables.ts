import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { TenantRole } from "#platform/access.ts";
import type { JsonMap } from "#platform/json.ts";

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

/** Tenants that are deleted and whose rows the sweep has yet to remove. */
export const tenantPurges = sqliteTable("tenant_purges", {
  /** The tenant. */
  id: text().primaryKey(),
  deletedAtMs: integer().notNull(),
  /** When the sweep goes on with it. */
  dueAtMs: integer().notNull(),
});
