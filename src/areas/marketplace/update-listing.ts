import type * as z from "zod";
import { requireSharedComponents } from "#areas/templates/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Listing, ListingContent } from "#schema/listings.ts";
import type { UpdateListingBody } from "./contract.ts";
import { edited, waitsForReview } from "./listing.ts";
import { listingToChange, requireOwn } from "./read-listings.ts";
import { slugTaken } from "./slug-taken.ts";
import { findOfferedVersion, listingEvent, setListing } from "./store.ts";

/** An empty body changes nothing, in every status. */
export async function updateListing(
  call: Call,
  id: string,
  body: z.output<typeof UpdateListingBody>,
): Promise<Listing> {
  const [before, [offered]] = await call.read(
    listingToChange(call, id),
    findOfferedVersion(call, id),
  );
  requireOwn(call, before);
  call.expectVersion(before.version);
  const named = Object.entries(body).filter(([, value]) => value !== undefined);
  if (named.length === 0) return before;
  const changes = Object.fromEntries(named) as Partial<ListingContent>;
  const at = { nowMs: call.now, latestVersion: offered?.number };
  const after: Listing = {
    ...edited(before, changes, at),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  // An edit of a published listing offers the latest version.
  if (waitsForReview(after) && offered !== undefined) requireSharedComponents(offered.components);
  const resource = { tenantId: before.tenantId, type: "listing", id };
  return call.commit(
    after,
    [
      ...setListing(call, before, after),
      audit("listing.update", resource, { before, after }),
      waitsForReview(after)
        ? listingEvent("listing.submitted", after, { revision: true })
        : listingEvent("listing.updated", after, after.revision === null ? {} : { revision: true }),
    ],
    { "listing_slugs.slug": slugTaken(body.slug ?? before.slug) },
  );
}
