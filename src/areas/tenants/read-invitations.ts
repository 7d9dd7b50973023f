import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Invitation } from "#schema/tenants.ts";
import { findInvitation, findInvitations, oneTenant } from "./store.ts";

export async function getInvitation(
  call: Call,
  at: { tenantId: string; id: string },
): Promise<Invitation> {
  const [invitation] = await call.read(one(findInvitation(call, at.tenantId, at.id), "invitation"));
  return invitation;
}

export async function listInvitations<V>(
  call: Call,
  tenantId: string,
  query: { limit: number; cursor?: string | undefined },
  view: (invitation: Invitation) => V,
): Promise<Page<V>> {
  const filters = { list: "invitations", tenantId };
  const page = await openPage(call, query, filters);
  const [, rows] = await call.read(
    oneTenant(call, tenantId),
    findInvitations(call, tenantId, page),
  );
  return closePage(call, page, filters, rows, view);
}
