import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { findMyInvitations, type MyInvitation } from "./store.ts";

export async function listMyInvitations<V>(
  call: Call,
  query: PageQuery & { token?: string | undefined; via?: MyInvitation["via"] | undefined },
  view: (invitation: MyInvitation) => V,
): Promise<Page<V>> {
  const digest = query.token === undefined ? undefined : await digestHex(query.token);
  const filters = { list: "my-invitations", digest, via: query.via };
  const page = await openPage(call, query, filters);
  const asked = { afterId: page.afterId, limit: page.limit + 1, via: query.via };
  const [rows] = await call.read(findMyInvitations(call, asked, digest));
  return closePage(call, page, filters, rows, view);
}
