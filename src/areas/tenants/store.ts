import { desc, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  afterCursor,
  allOf,
  among,
  filtered,
  type ListFilters,
  onePage,
} from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { type Dependent, dependentsOf } from "#kernel/call/dependents.ts";
import { one, oneIf } from "#kernel/call/one.ts";
import { auditEntriesOf, auditEntriesOfDay } from "#kernel/limits/change-limits.ts";
import { limitSql, monthOf, storedBytes } from "#kernel/limits/limits.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { apiKeys } from "#schema/api-keys.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { deployments, openStatesSql } from "#schema/deployments.ts";
import { imports } from "#schema/imports.ts";
import { incidents } from "#schema/incidents.ts";
import { instances } from "#schema/instances.ts";
import { listings } from "#schema/listings.ts";
import { type LimitName, limitNames, type Limits } from "#schema/lists/plans.ts";
import { profiles } from "#schema/profiles.ts";
import { templates, templateVersions } from "#schema/templates.ts";
import { invitations, members, monthlyUsage, tenants } from "#schema/tenants.ts";
import { users } from "#schema/users.ts";
import { webhooks } from "#schema/webhooks.ts";
import { invitationCounts } from "./invitation-counts.ts";

const selectTenants = selectFrom(tenants);

/** The tenant with this id, if the caller may see it. */
export function findTenant(call: Call, tenantId: string) {
  return selectTenants.where(sql`${tenants.id} = ${tenantId} AND ${call.inScope(tenants.id)}`);
}

/**
 * The limits for quotas: of the tenant with this id, if the caller may see it; without an id, of the caller's tenants.
 */
export function findTenantLimits(call: Call, tenantId: string | undefined) {
  const { id, limits } = tenants;
  return call.db
    .select({ id, limits })
    .from(tenants)
    .where(
      tenantId === undefined ? call.own(id) : sql`${id} = ${tenantId} AND ${call.inScope(id)}`,
    );
}

/** The limits for quotas of the tenant that owns the row, if the caller belongs to it. */
export function findLimitsOfOwner(
  call: Call,
  table: SQLiteTable & { id: SQLiteColumn; tenantId: SQLiteColumn },
  rowId: string,
) {
  const { id, limits } = tenants;
  return call.db
    .select({ id, limits })
    .from(tenants)
    .where(
      sql`${id} = (SELECT ${table.tenantId} FROM ${table}
        WHERE ${table.id} = ${rowId} AND ${call.inScope(table.tenantId)})`,
    );
}

const tenantOf = ({ id }: { id: string }): string => id;

/** The tenant with this id, for `read`: 404 if the caller does not belong to it, 403 if their role there is too low. */
export function oneTenant(call: Call, tenantId: string) {
  return one(findTenant(call, tenantId), "tenant", { tenantOf });
}

/** The tenant that a body names, if it names one. */
export function namedTenant(call: Call, tenantId: string | undefined) {
  return oneIf(tenantId !== undefined, oneTenant(call, tenantId ?? ""));
}

export interface TenantFilters extends Omit<ListFilters, "tenantId" | "label"> {
  slug?: string | undefined;
}

/** One more than the page holds. */
export function findTenants(call: Call, page: PageRequest, filters: TenantFilters) {
  const t = tenants;
  return selectTenants.where(
    allOf([
      call.permitted(t.id),
      ...filtered(t, filters, page),
      ...among(t.slug, filters.slug),
      ...afterCursor(t, page),
    ]),
    onePage(t, page),
  );
}

/** Holds while the tenant still has the version that was read. */
export function tenantIsAt({ id, version }: { id: string; version: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${tenants} WHERE ${tenants.id} = ${id} AND ${tenants.version} = ${version})`;
}

/** The instances of the tenant for which `nothingDeployed` does not hold. */
export function findDeployed(call: Call, tenantId: string) {
  return call.db.all<Dependent>(
    dependentsOf(
      sql`SELECT 'instance' AS kind, name FROM ${instances} WHERE ${instances.tenantId} = ${tenantId} AND ${call.inScope(instances.tenantId)}
        AND (${instances.state} NOT IN ('INITIALIZED', 'DESTROYED')
          OR EXISTS (SELECT 1 FROM ${deployments} WHERE ${deployments.tenantId} = ${tenantId}
            AND ${deployments.instanceId} = ${instances.id} AND ${deployments.state} IN ${openStatesSql}))`,
    ),
  );
}

/** Holds while no instance of the tenant has cloud objects or an open deployment that could create some. */
export function nothingDeployed(tenantId: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.tenantId} = ${tenantId}
      AND ${instances.state} NOT IN ('INITIALIZED', 'DESTROYED'))
    AND NOT EXISTS (SELECT 1 FROM ${deployments} WHERE ${deployments.tenantId} = ${tenantId}
      AND ${deployments.state} IN ${openStatesSql})`;
}

const memberColumns = {
  id: members.id,
  tenantId: members.tenantId,
  userId: members.userId,
  email: users.email,
  name: users.name,
  userVersion: sql<number>`${users.version}`.as("user_version"),
  role: members.role,
  via: members.via,
  version: members.version,
  createdAtMs: members.createdAtMs,
  updatedAtMs: members.updatedAtMs,
};

function membersOf(call: Call, tenantId: string, which: SQL) {
  return call.db
    .select(memberColumns)
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(
      sql`${members.tenantId} = ${tenantId} AND ${call.inScope(members.tenantId)} AND ${which}`,
    );
}

export function findMember(call: Call, tenantId: string, userId: string) {
  return membersOf(call, tenantId, sql`${members.userId} = ${userId}`);
}

/** The member with this verified address. Users with an unverified address do not count. */
export function findMemberByEmail(call: Call, tenantId: string, email: string) {
  return membersOf(
    call,
    tenantId,
    sql`${members.userId} IN (SELECT id FROM ${users} WHERE ${users.email} = ${email} AND ${users.emailTrusted} = 1)`,
  );
}

/** One more than the page holds, newest first. */
export function findMembers(
  call: Call,
  tenantId: string,
  page: PageRequest,
  role: string | undefined,
) {
  const hasRole = role === undefined ? sql`1` : sql`${members.role} = ${role}`;
  return membersOf(call, tenantId, sql`${hasRole} AND ${before(page, members.id)}`)
    .orderBy(desc(members.id))
    .limit(page.limit + 1);
}

/** Holds while the tenant has another owner. */
export function hasOtherOwner({ tenantId, userId }: { tenantId: string; userId: string }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${members} WHERE ${members.tenantId} = ${tenantId}
    AND ${members.role} = 'CustomerOwner' AND ${members.userId} <> ${userId})`;
}

/** Members and open invitations: each takes a seat. At most `atMost` of each are counted. */
export function seatsTaken(tenantId: string, nowMs: number, atMost: SQL): SQL {
  return sql`((SELECT count(*) FROM (SELECT 1 FROM ${members}
      WHERE ${members.tenantId} = ${tenantId} LIMIT ${atMost}))
    + (SELECT count(*) FROM (SELECT 1 FROM ${invitations} WHERE ${invitations.tenantId} = ${tenantId}
      AND ${invitationCounts(nowMs)} LIMIT ${atMost})))`;
}

export function findInvitation(call: Call, tenantId: string, id: string) {
  return openInvitations(call, tenantId, sql`${invitations.id} = ${id}`);
}

export function findInvitationByEmail(call: Call, tenantId: string, email: string) {
  return openInvitations(call, tenantId, sql`${invitations.email} = ${email}`);
}

/** One more than the page holds, newest first. */
export function findInvitations(call: Call, tenantId: string, page: PageRequest) {
  return openInvitations(call, tenantId, before(page, invitations.id))
    .orderBy(desc(invitations.id))
    .limit(page.limit + 1);
}

function openInvitations(call: Call, tenantId: string, which: SQL) {
  const t = invitations;
  return call.db
    .select()
    .from(t)
    .where(
      sql`${t.tenantId} = ${tenantId} AND ${call.inScope(t.tenantId)} AND ${invitationCounts(call.now)} AND ${which}`,
    );
}

/** The tenant's usage and limits, as `<limit name>` and `<limit name>_limit`; no row: there is no such tenant. */
export function findUsage(call: Call, tenantId: string, plan: Limits) {
  const rowsOf = (table: SQLiteTable & { tenantId: SQLiteColumn }, which = sql`1`) =>
    sql`(SELECT count(*) FROM ${table} WHERE ${table.tenantId} = ${tenantId} AND ${which})`;
  const inMonth = (name: LimitName) =>
    sql`coalesce((SELECT used FROM ${monthlyUsage} WHERE ${monthlyUsage.tenantId} = ${tenantId}
      AND ${monthlyUsage.month} = ${monthOf(call.now)} AND ${monthlyUsage.limitName} = ${name}), 0)`;
  const used: Readonly<Record<LimitName, SQL>> = {
    instances: rowsOf(instances),
    targets: rowsOf(cloudTargets),
    templates: rowsOf(templates),
    templateVersions: rowsOf(templateVersions),
    profiles: rowsOf(profiles),
    listings: rowsOf(listings),
    incidents: rowsOf(incidents),
    imports: rowsOf(imports),
    webhooks: rowsOf(webhooks),
    members: seatsTaken(tenantId, call.now, sql`-1`),
    apiKeys: rowsOf(apiKeys, sql`${apiKeys.revokedAtMs} IS NULL`),
    deploymentsPerMonth: inMonth("deploymentsPerMonth"),
    webhookAnswerBytesPerMonth: inMonth("webhookAnswerBytesPerMonth"),
    definitionBytes: storedBytes(tenantId, "definitionBytes"),
    deploymentBytes: storedBytes(tenantId, "deploymentBytes"),
    importBytes: storedBytes(tenantId, "importBytes"),
    changesPerDay: auditEntriesOfDay(tenantId, call.now),
    auditEntries: auditEntriesOf(tenantId),
  };
  const columns = limitNames.map((name) => {
    const limit = limitSql({ tenantId, name, planLimit: plan[name] });
    return sql`${used[name]} AS ${sql.identifier(name)}, ${limit} AS ${sql.identifier(`${name}_limit`)}`;
  });
  return call.db.all<Record<string, number | null>>(
    sql`SELECT ${sql.join(columns, sql`, `)} FROM ${tenants} WHERE ${tenants.id} = ${tenantId} AND ${call.inScope(tenants.id)}`,
  );
}

function before(page: PageRequest, id: SQLiteColumn): SQL {
  return page.afterId === undefined ? sql`1` : sql`${id} < ${page.afterId}`;
}
