import { type SQL, sql } from "drizzle-orm";
import type * as z from "zod";
import { type Actor, operatorsOnly } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { folded } from "#platform/text/folded.ts";
import { members, type Tenant, tenants } from "#schema/tenants.ts";
import { type CreateTenantBody, reservedSlugs } from "./contract.ts";
import { indexEmailDomains } from "./email-domains/index-email-domains.ts";

const MOST_OWNED_TENANTS = 20;

export async function createTenant(
  call: Call,
  body: z.output<typeof CreateTenantBody>,
): Promise<Tenant> {
  const [[owned]] = await call.read(countOwnedTenants(call));
  const { actor } = call;
  if (actor.kind === "member") requireSelfService(call, body, owned?.tenants ?? 0);
  const taken = new ApiError("slug_taken", `The slug "${body.slug}" is taken. Choose another one.`);
  if (reservedSlugs.has(body.slug)) throw taken;
  const tenant: Tenant = {
    id: call.newId(),
    ...body,
    searchText: folded(body.name),
    publicStatus: false,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: tenant.id, type: "tenant", id: tenant.id };
  return call.commit(
    tenant,
    [
      call.write(tenant.id, call.db.insert(tenants).values(tenant)),
      ...indexEmailDomains(call, tenant),
      audit("tenant.create", resource, { after: tenant }),
      event("tenant.created", { ...resource, sequence: tenant.version }, { slug: tenant.slug }),
      ...(actor.kind === "member" ? firstOwner(call, tenant.id, actor) : []),
    ],
    { "tenants.slug": taken },
  );
}

/** With self-service, every signed-in user can create tenants, but not set their limits. */
function requireSelfService(
  call: Call,
  { limits }: z.output<typeof CreateTenantBody>,
  owned: number,
): void {
  if (call.env.SELF_SERVICE_TENANTS !== "on" || Object.keys(limits).length > 0)
    throw operatorsOnly();
  if (owned >= MOST_OWNED_TENANTS)
    throw new ApiError(
      "quota_exceeded",
      `You own ${owned} tenants; the maximum is ${MOST_OWNED_TENANTS}. Delete one, or ask an operator to create the tenant.`,
    );
}

function firstOwner(
  call: Call,
  tenantId: string,
  { name: userId }: Extract<Actor, { kind: "member" }>,
): Write[] {
  const role = "CustomerOwner";
  const member: typeof members.$inferSelect = {
    id: call.newId(),
    tenantId,
    userId,
    role,
    via: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "member", id: member.id };
  return [
    // Counts tenants created at the same time too: a request beyond the maximum runs again and gets
    // `quota_exceeded`.
    call.require("conflict", sql`${ownedBy(sql`${userId}`)} < ${MOST_OWNED_TENANTS}`),
    call.write(member.tenantId, call.db.insert(members).values(member)),
    audit("member.add", resource, { after: member }),
    event("member.added", { ...resource, sequence: 1 }, { userId, role }),
  ];
}

function countOwnedTenants(call: Call) {
  return call.db.all<{ tenants: number }>(sql`SELECT ${ownedBy(call.me())} AS tenants`);
}

function ownedBy(userId: SQL): SQL {
  return sql`(SELECT count(*) FROM ${members} WHERE ${members.userId} = ${userId}
    AND ${members.tenantId} IS NOT NULL AND ${members.role} = 'CustomerOwner')`;
}
