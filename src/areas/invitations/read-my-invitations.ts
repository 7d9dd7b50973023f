import { closePage, openPage, type Page } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { findMyInvitations, type MyInvitation } from "./store.ts";

export async function listMyInvitations<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined; token?: string | undefined },
  view: (invitation: MyInvitation) => V,
): Promise<Page<V>> {
  const digest = query.token === undefined ? undefined : await digestHex(query.token);
  const filters = { list: "my-invitations", digest };
  const page = await openPage(call, query, filters);
  const asked = { afterId: page.afterId, limit: page.limit + 1 };
  const [rows] = await call.read(findMyInvitations(call, asked, digest));
  return closePage(call, page, filters, rows, view);
}
