import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { listings, listingSlugs } from "#schema/listings.ts";
import { listingToChange, requireOwn } from "./read-listings.ts";

/** Templates installed from it are copies and remain. */
export async function deleteListing(call: Call, id: string): Promise<void> {
  const [before] = await call.read(listingToChange(call, id));
  requireOwn(call, before);
  call.expectVersion(before.version);
  const { tenantId } = before;
  await call.commit(undefined, [
    call.requireVersion(listings, before),
    call.write(
      tenantId,
      call.db
        .delete(listings)
        .where(sql`${listings.id} = ${id} AND ${listings.tenantId} = ${tenantId}`),
    ),
    call.write(
      tenantId,
      call.db
        .delete(listingSlugs)
        .where(sql`${listingSlugs.listingId} = ${id} AND ${listingSlugs.tenantId} = ${tenantId}`),
    ),
    audit("listing.delete", { tenantId, type: "listing", id }, { before }),
  ]);
}
