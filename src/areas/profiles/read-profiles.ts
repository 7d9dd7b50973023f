import type { ListFilters } from "#http/lists/list-rows.ts";
import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Profile } from "#schema/profiles.ts";
import { findProfile, findProfiles, type ListedProfile } from "./store.ts";

export async function getProfile(call: Call, id: string): Promise<Profile> {
  const [profile] = await call.read(one(findProfile(call, id), "profile"));
  return profile;
}

export async function listProfiles<V>(
  call: Call,
  query: ListFilters & PageQuery,
  view: (profile: ListedProfile) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "profiles", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findProfiles(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
