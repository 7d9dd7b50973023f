import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { listings, listingSlugs } from "#schema/listings.ts";
import { requireOwn } from "./read-listings.ts";
import { findListing } from "./store.ts";

/** Templates installed from it are copies and remain. */
export async function deleteListing(call: Call, id: string): Promise<void> {
  const [[found]] = await call.read(findListing(call, id));
  const before = requireOwn(call, found);
  call.expectVersion(before.version);
  const { tenantId } = before;
  await call.commit(undefined, [
    call.requireVersion(listings, before),
    call.db
      .delete(listings)
      .where(sql`${listings.id} = ${id} AND ${listings.tenantId} = ${tenantId}`),
    call.db
      .delete(listingSlugs)
      .where(sql`${listingSlugs.listingId} = ${id} AND ${listingSlugs.tenantId} = ${tenantId}`),
    audit("listing.delete", { tenantId, type: "listing", id }, { before }),
  ]);
}
