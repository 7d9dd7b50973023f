import { sql } from "drizzle-orm";
import type * as z from "zod";
import { copyTemplate } from "#areas/templates/public.ts";
import { namedTenant } from "#areas/tenants/public.ts";
import { owningTenant } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { listings } from "#schema/listings.ts";
import type { Template } from "#schema/templates.ts";
import type { InstallListingBody } from "./contract.ts";
import { findListing, findPublishedVersion, listingEvent } from "./store.ts";

/** The publisher's event does not say which tenant installed the listing. */
export async function installListing(
  call: Call,
  id: string,
  body: z.output<typeof InstallListingBody>,
): Promise<Template> {
  const [listing, [version]] = await call.read(
    one(findListing(call, id), "listing", { shared: true, anyRole: true }),
    findPublishedVersion(call, id),
    namedTenant(call, body.tenantId),
  );
  const tenantId = owningTenant(call.actor, body.tenantId);
  if (listing.status !== "PUBLISHED")
    throw new ApiError(
      "invalid_state",
      `The listing is ${listing.status}. Only published listings can be installed.`,
    );
  if (version === undefined)
    throw new ApiError(
      "invalid_state",
      "The template version that the listing offers no longer exists.",
    );
  const { template, writes } = await copyTemplate(
    call,
    { tenantId, name: body.name ?? listing.title, description: listing.summary },
    version,
  );
  return call.commit(template, [
    call.require(
      "conflict",
      sql`EXISTS (SELECT 1 FROM ${listings} WHERE ${listings.id} = ${id}
        AND ${listings.tenantId} = ${listing.tenantId} AND ${listings.status} = 'PUBLISHED' AND ${listings.templateVersion} = ${version.number})`,
    ),
    ...writes,
    call.writeAsService(
      listing.tenantId,
      call.db
        .update(listings)
        .set({ installs: sql`${listings.installs} + 1` })
        .where(sql`${listings.id} = ${id} AND ${listings.tenantId} = ${listing.tenantId}`),
    ),
    audit("listing.install", { tenantId, type: "listing", id }, {}),
    listingEvent("listing.installed", listing),
  ]);
}
