import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Profile } from "#schema/profiles.ts";
import { findProfile, findProfiles } from "./store.ts";

export async function getProfile(call: Call, id: string): Promise<Profile> {
  const [profile] = await call.read(one(findProfile(call, id), "profile"));
  return profile;
}

export async function listProfiles<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined; tenantId?: string | undefined },
  view: (profile: Profile) => V,
): Promise<Page<V>> {
  const filters = { list: "profiles", tenantId: query.tenantId };
  const page = await openPage(call, query, filters);
  const [rows] = await call.read(findProfiles(call, page, query.tenantId));
  return closePage(call, page, filters, rows, view);
}
