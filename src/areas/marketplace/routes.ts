import type * as z from "zod";
import { templateView } from "#areas/templates/public.ts";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import type { Call } from "#kernel/call/call.ts";
import { tenantIdView } from "#platform/ids.ts";
import type { Json } from "#platform/json.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Listing, ListingContent, ListingRevision } from "#schema/listings.ts";
import {
  createListingEndpoint,
  deleteListingEndpoint,
  getListingEndpoint,
  installListingEndpoint,
  listListingsEndpoint,
  type ListingSummary,
  type ListingView,
  reviewListingEndpoint,
  submitListingEndpoint,
  updateListingEndpoint,
} from "./contract.ts";
import { createListing } from "./create-listing.ts";
import { deleteListing } from "./delete-listing.ts";
import { installListing } from "./install-listing.ts";
import { getListing, listListings } from "./read-listings.ts";
import { reviewListing } from "./review-listing.ts";
import type { ListedListing } from "./store.ts";
import { submitListing } from "./submit-listing.ts";
import { updateListing } from "./update-listing.ts";

export const marketplaceRoutes = [
  route(createListingEndpoint, (call, { body }) => createListing(call, body), listingView),
  route(
    listListingsEndpoint,
    (call, { query }) => listListings(call, query, (listing) => listingSummary(listing, call)),
    (page) => page,
  ),
  route(getListingEndpoint, (call, { params }) => getListing(call, params.id), listingView),
  route(
    updateListingEndpoint,
    (call, { params, body }) => updateListing(call, params.id, body),
    listingView,
  ),
  route(deleteListingEndpoint, (call, { params }) => deleteListing(call, params.id)),
  route(submitListingEndpoint, (call, { params }) => submitListing(call, params.id), listingView),
  route(
    reviewListingEndpoint,
    (call, { params, body }) => reviewListing(call, params.id, body),
    listingView,
  ),
  route(
    installListingEndpoint,
    (call, { params, body }) => installListing(call, params.id, body),
    templateView,
  ),
];

/** Everyone sees the published content. Only the publisher and operators see the publisher and unreviewed content. */
function listingView(listing: Listing, call: Call): z.input<typeof ListingView> {
  const { description, revision } = listing;
  const summary = listingSummary(listing, call);
  return {
    ...summary,
    description,
    revision:
      summary.revision === null || revision === null
        ? null
        : { ...summary.revision, description: revision.description },
  };
}

function listingSummary(listing: ListedListing, call: Call): z.input<typeof ListingSummary> {
  const whole = call.isOf(listing.tenantId);
  return {
    ...contentView(listing),
    id: listing.id,
    tenantId: whole ? tenantIdView(listing.tenantId) : null,
    templateId: whole ? listing.templateId : null,
    templateVersion: listing.templateVersion,
    badges: listing.badges as Json[],
    status: listing.status,
    revision: whole && listing.revision !== null ? revisionView(listing.revision) : null,
    reviewNotes: whole ? listing.reviewNotes : null,
    submittedAt: whole ? timestampOrNull(listing.submittedAtMs) : null,
    submittedRevision: whole ? listing.submittedRevision : null,
    publishedAt: timestampOrNull(listing.publishedAtMs),
    publishedRevision: listing.publishedRevision,
    createdAt: timestamp(listing.createdAtMs),
    updatedAt: timestamp(listing.updatedAtMs),
  };
}

function revisionView(revision: Omit<ListingRevision, "description">) {
  return {
    ...contentView(revision),
    templateVersion: revision.templateVersion,
    status: revision.status,
    submittedAt: timestamp(revision.submittedAtMs),
  };
}

function contentView(content: Omit<ListingContent, "description">) {
  const { slug, title, summary, categories, tags } = content;
  return {
    slug,
    title,
    summary,
    categories: categories as Json[],
    tags: tags as Json[],
  };
}
