import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import type { Listing } from "#schema/listings.ts";
import { findListing, findListings, type ListedListing, type ListingFilters } from "./store.ts";

export async function getListing(call: Call, id: string): Promise<Listing> {
  const [listing] = await call.read(
    one(findListing(call, id), "listing", { shared: true, anyRole: true }),
  );
  return listing;
}

/** The listing with this id, for `read` before a change. A published listing is found for every caller. */
export function listingToChange(call: Call, id: string) {
  return one(findListing(call, id), "listing", { shared: true });
}

/** Throws `forbidden` unless the listing belongs to one of the caller's tenants. */
export function requireOwn(call: Call, listing: Listing): void {
  if (!call.isOf(listing.tenantId))
    throw new ApiError("forbidden", "Only the publisher and operators can change this listing.");
}

export async function listListings<V>(
  call: Call,
  query: ListingFilters & PageQuery,
  view: (listing: ListedListing) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, sort: ___, ...filters } = query;
  const signed = { list: "listings", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findListings(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
