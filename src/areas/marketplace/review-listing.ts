import type * as z from "zod";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Listing } from "#schema/listings.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import type { ReviewDecision, ReviewListingBody } from "./contract.ts";
import { requireReadSubmission, reviewed } from "./listing.ts";
import { findListing, listingEvent, setListing } from "./store.ts";

const eventOf: Readonly<Record<ReviewDecision, EventType>> = {
  approve: "listing.published",
  reject: "listing.rejected",
  unlist: "listing.unlisted",
};

export async function reviewListing(
  call: Call,
  id: string,
  { decision, badges, notes }: z.output<typeof ReviewListingBody>,
): Promise<Listing> {
  const [before] = await call.read(one(findListing(call, id), "listing"));
  call.expectVersion(before.version);
  if (decision === "approve" && !call.namesVersion) requireReadSubmission(before, call.now);
  const after: Listing = {
    ...reviewed(before, decision, { badges, notes: notes ?? null, nowMs: call.now }),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: before.tenantId, type: "listing", id };
  return call.commit(after, [
    ...setListing(call, before, after),
    audit(`listing.${decision}`, resource, { before, after }),
    listingEvent(eventOf[decision], after, { revision: before.revision !== null }),
  ]);
}
