import { closePage, openPage, type Page } from "#http/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import type { Listing } from "#schema/listings.ts";
import type { ListingSort } from "./contract.ts";
import { findListing, findListings, type ListingFilters, type ListingPlace } from "./store.ts";

export async function getListing(call: Call, id: string): Promise<Listing> {
  const [[listing]] = await call.read(findListing(call, id));
  if (listing === undefined) throw notFound("listing");
  return listing;
}

/** Throws unless the listing is the caller's to change: what is not published and not its own is not there. */
export function requireOwn(call: Call, listing: Listing | undefined): Listing {
  if (listing === undefined) throw notFound("listing");
  if (!call.isOf(listing.tenantId))
    throw new ApiError("forbidden", "Only the publisher and operators can change this listing.");
  return listing;
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
