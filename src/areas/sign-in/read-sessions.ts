import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { findMe } from "#kernel/call/find-me.ts";
import {
  findCurrentSession,
  findMyTenants,
  findSessions,
  type MyTenant,
  type Session,
  type User,
} from "./session-store.ts";

export interface SignedIn {
  user: User;
  operator: boolean;
  tenants: readonly MyTenant[];
  session: Session;
}

export async function getSession(call: Call): Promise<SignedIn> {
  const [[user], tenants, [session]] = await call.read(
    findMe(call),
    findMyTenants(call),
    findCurrentSession(call),
  );
  if (user === undefined || session === undefined)
    throw new Error("A verified session has no row in the same batch");
  return { user, operator: call.actor.kind === "operator", tenants, session };
}

export async function listSessions<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined },
  view: (session: Session) => V,
): Promise<Page<V>> {
  const filters = { list: "sessions" };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findSessions(call, page));
  return closePage(call, page, filters, rows, view);
}
