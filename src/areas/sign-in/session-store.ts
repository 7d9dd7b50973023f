import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { PageRequest } from "#http/lists/page.ts";
import { IDLE_MS } from "#kernel/authn/session-life.ts";
import type { Call } from "#kernel/call/call.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { members, tenants } from "#schema/tenants.ts";
import { sessions, type users } from "#schema/users.ts";

export type Session = typeof sessions.$inferSelect;
export type User = typeof users.$inferSelect;

/** A session of the caller that has not ended. */
export function findSession(call: Call, id: string) {
  return call.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), isMineAndOpen(call)));
}

/** The session of the request. */
export function findCurrentSession(call: Call) {
  return call.db
    .select()
    .from(sessions)
    .where(sql`${sessions.id} = ${call.mySession()}`);
}

/** One more than the page holds, newest first. */
export function findSessions(call: Call, page: PageRequest) {
  return call.db
    .select()
    .from(sessions)
    .where(
      and(
        isMineAndOpen(call),
        page.afterId === undefined ? undefined : lt(sessions.id, page.afterId),
      ),
    )
    .orderBy(desc(sessions.id))
    .limit(page.limit + 1);
}

export interface MyTenant {
  tenantId: string;
  slug: string;
  name: string;
  role: TenantRole;
}

/** The tenants that the caller is a member of. */
export function findMyTenants(call: Call) {
  return call.db.all<MyTenant>(sql`
    SELECT t.id AS tenantId, t.slug AS slug, t.name AS name, m.role AS role
    FROM ${members} m JOIN ${tenants} t ON t.id = m.tenant_id
    WHERE m.user_id = ${call.me()} AND m.tenant_id IS NOT NULL ORDER BY t.name, t.id`);
}

export function removeSession(call: Call, id: string) {
  return call.write(null, call.db.delete(sessions).where(eq(sessions.id, id)));
}

function isMineAndOpen(call: Call) {
  return and(
    sql`${sessions.userId} = ${call.me()}`,
    gt(sessions.lastSeenAtMs, call.now - IDLE_MS),
    gt(sessions.expiresAtMs, call.now),
  );
}
