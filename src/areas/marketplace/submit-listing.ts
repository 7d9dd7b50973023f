import { requireSharedComponents } from "#areas/templates/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import type { Listing } from "#schema/listings.ts";
import { statusAfter, submitted } from "./listing.ts";
import { listingToChange, requireOwn } from "./read-listings.ts";
import { findOfferedVersion, listingEvent, setListing } from "./store.ts";

export async function submitListing(call: Call, id: string): Promise<Listing> {
  const [before, [offered]] = await call.read(
    listingToChange(call, id),
    findOfferedVersion(call, id),
  );
  requireOwn(call, before);
  call.expectVersion(before.version);
  statusAfter(before, "submit");
  if (offered !== undefined) requireSharedComponents(offered.components);
  const version = offered?.number ?? before.revision?.templateVersion;
  if (version === undefined || version === null)
    throw new ApiError(
      "invalid_state",
      "The template has no version that is not deprecated. Add one first.",
    );
  const after: Listing = {
    ...submitted(before, version, call.now),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  return call.commit(after, [
    ...setListing(call, before, after),
    audit("listing.submit", { tenantId: before.tenantId, type: "listing", id }, { before, after }),
    listingEvent("listing.submitted", after, after.revision === null ? {} : { revision: true }),
  ]);
}
