import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import type { Listing } from "#schema/listings.ts";
import type { ListingSort } from "./contract.ts";
import { findListing, findListings, type ListingFilters, type ListingPlace } from "./store.ts";

export async function getListing(call: Call, id: string): Promise<Listing> {
  const [listing] = await call.read(
    one(findListing(call, id), "listing", { shared: true, anyRole: true }),
  );
  return listing;
}

/** The listing with this id, for `read` before a change. One that is published is found, whoever's it is. */
export function listingToChange(call: Call, id: string) {
  return one(findListing(call, id), "listing", { shared: true });
}

/** Throws `forbidden` unless the listing is one of the caller's tenants'. */
export function requireOwn(call: Call, listing: Listing): void {
  if (!call.isOf(listing.tenantId))
    throw new ApiError("forbidden", "Only the publisher and operators can change this listing.");
}

/** The cursor of this list holds the title and the id, so that a page starts at a place in the sort order. */
export async function listListings<V>(
  call: Call,
  query: { limit: number; cursor?: string | undefined; sort: ListingSort } & ListingFilters,
  view: (listing: Listing) => V,
): Promise<Page<V>> {
  const { limit, cursor, ...filters } = query;
  const signed = { list: "listings", ...filters };
  const page = await openPage(call, { limit, cursor }, signed);
  const { sort } = query;
  const after = page.afterId === undefined ? undefined : (JSON.parse(page.afterId) as ListingPlace);
  const [rows] = await call.read(findListings(call, { limit, after, sort }, filters));
  const places = rows.map((listing) => ({
    id: JSON.stringify({ title: listing.sortTitle, id: listing.id } satisfies ListingPlace),
    listing,
  }));
  return closePage(call, page, signed, places, ({ listing }) => view(listing));
}
