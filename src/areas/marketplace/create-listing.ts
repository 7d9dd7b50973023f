import { sql } from "drizzle-orm";
import type * as z from "zod";
import { findTemplate } from "#areas/templates/public.ts";
import { namedTenant, enforcePlanLimit } from "#areas/tenants/public.ts";
import { owningTenant } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { type Listing, listings, listingSlugs } from "#schema/listings.ts";
import { templates } from "#schema/templates.ts";
import type { CreateListingBody } from "./contract.ts";
import { contentOf, derivedOf } from "./listing.ts";
import { slugTaken } from "./slug-taken.ts";

export async function createListing(
  call: Call,
  body: z.output<typeof CreateListingBody>,
): Promise<Listing> {
  const [[template]] = await call.read(
    findTemplate(call, body.templateId),
    namedTenant(call, body.tenantId),
  );
  const tenantId = owningTenant(call.actor, body.tenantId);
  if (template?.tenantId === PLATFORM && tenantId !== PLATFORM)
    throw new ApiError(
      "forbidden",
      "This is a platform template: only operators can publish it, for the platform.",
    );
  if (template?.tenantId !== tenantId) throw notFound("template");
  const content = contentOf(body);
  const listing: Listing = {
    ...content,
    ...derivedOf(content),
    id: call.newId(),
    tenantId,
    templateId: template.id,
    templateVersion: null,
    badges: [],
    status: "DRAFT",
    revision: null,
    reviewNotes: null,
    installs: 0,
    submittedAtMs: null,
    submittedRevision: null,
    publishedRevision: null,
    resubmittedAtMs: null,
    publishedAtMs: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const { id, slug } = listing;
  return call.commit(
    listing,
    [
      // A template with a listing cannot be deleted; this one must still exist when the listing is inserted.
      call.require(
        "not_found",
        sql`EXISTS (SELECT 1 FROM ${templates} WHERE ${templates.id} = ${template.id} AND ${templates.tenantId} = ${tenantId})`,
      ),
      ...(await enforcePlanLimit(call, "listings", tenantId, listings)),
      call.write(listing.tenantId, call.db.insert(listings).values(listing)),
      call.write(tenantId, call.db.insert(listingSlugs).values({ slug, tenantId, listingId: id })),
      audit("listing.create", { tenantId, type: "listing", id }, { after: listing }),
    ],
    { "listing_slugs.slug": slugTaken(slug) },
  );
}
