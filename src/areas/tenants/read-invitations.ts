import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
import type { Invitation } from "#schema/tenants.ts";
import { findInvitation, findInvitations, findTenant } from "./store.ts";

export async function getInvitation(
  call: Call,
  at: { tenantId: string; id: string },
): Promise<Invitation> {
  const [[invitation]] = await call.read(findInvitation(call, at.tenantId, at.id));
  if (invitation === undefined) throw notFound("invitation");
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
  const [[tenant], rows] = await call.read(
    findTenant(call, tenantId),
    findInvitations(call, tenantId, page),
  );
  if (tenant === undefined) throw notFound("tenant");
  return closePage(call, page, filters, rows, view);
}
