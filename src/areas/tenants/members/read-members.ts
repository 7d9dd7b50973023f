import { findMember, findMembers, oneTenant } from "#areas/tenants/store.ts";
import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import type { Member } from "./member.ts";

export async function getMember(
  call: Call,
  at: { tenantId: string; userId: string },
): Promise<Member> {
  const [member] = await call.read(one(findMember(call, at.tenantId, at.userId), "member"));
  return member;
}

export async function listMembers<V>(
  call: Call,
  tenantId: string,
  query: { limit: number; cursor?: string | undefined; role?: TenantRole | undefined },
  view: (member: Member) => V,
): Promise<Page<V>> {
  const filters = { list: "members", tenantId, role: query.role };
  const page = await openPage(call, query, filters);
  const [, rows] = await call.read(
    oneTenant(call, tenantId),
    findMembers(call, tenantId, page, query.role),
  );
  return closePage(call, page, filters, rows, view);
}
