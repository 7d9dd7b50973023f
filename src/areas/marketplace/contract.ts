import * as z from "zod";
import { TemplateView } from "#areas/templates/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { createdFilters, severalOf, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  FreeItem,
  Id,
  IdParams,
  oneLine,
  PathId,
  plainText,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { jsonBytes } from "#platform/json.ts";
import { prose } from "#platform/prose.ts";
import { listingStatuses } from "#schema/listings.ts";

const tag = "Marketplace";

export const reviewDecisions = ["approve", "reject", "unlist"] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

const Slug = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{2,62}$/,
    "It must be a letter a-z, then 2 to 62 of the characters a-z 0-9 -.",
  )
  .describe(prose("The listing's short name, unique among all listings."));
const Title = oneLine(3, 80).describe(prose("The title."));
const Summary = oneLine(10, 240).describe(prose("The offer in one sentence, for lists."));
const Description = plainText(0, 8000).describe(prose("The description, for people."));
const MAX_ITEMS_BYTES = 4_096;
const fitting = (items: readonly unknown[]): boolean => jsonBytes(items) <= MAX_ITEMS_BYTES;
const tooLong = `It can have at most ${MAX_ITEMS_BYTES} bytes as JSON.`;
const Categories = z
  .array(FreeItem)
  .min(1)
  .max(4)
  .refine(fitting, tooLong)
  .describe(prose("The categories of the marketplace that the listing belongs to."));
const Tags = z
  .array(FreeItem)
  .max(8)
  .refine(fitting, tooLong)
  .describe(prose("Free words for searches."));
const Badges = z.array(FreeItem).refine(fitting, tooLong);

export const CreateListingBody = z.object({
  templateId: PathId.describe(prose("A template of the tenant that publishes the listing.")),
  slug: Slug,
  title: Title,
  summary: Summary,
  description: Description.default(""),
  categories: Categories,
  tags: Tags.default([]),
  tenantId: TenantIdField,
});

export const UpdateListingBody = z.object({
  slug: Slug.optional(),
  title: Title.optional(),
  summary: Summary.optional(),
  description: Description.optional().describe(
    prose("Default: unchanged (empty in a new listing)."),
  ),
  categories: Categories.optional(),
  tags: Tags.optional().describe(prose("Default: unchanged (none in a new listing).")),
});

export const ReviewListingBody = z.object({
  decision: z
    .enum(reviewDecisions)
    .describe(
      prose("`approve`: publish it. `reject`: refuse it. `unlist`: remove it from the list."),
    ),
  badges: Badges.default([]).describe(
    prose("The badges of the listing, set on approval. Ignored with other decisions."),
  ),
  notes: plainText(0, 2000)
    .optional()
    .describe(prose("A message to the publisher. Default: none.")),
});

export const InstallListingBody = z.object({
  name: oneLine(2, 80)
    .optional()
    .describe(prose("The name of the new template. Default: the title of the listing.")),
  tenantId: TenantIdField.describe(
    prose(
      "The tenant to install into. Default: the caller's tenant; for operators, the platform. A member of several tenants must name one.",
    ),
  ),
});
const Content = z.object({
  slug: z.string().describe(prose("The listing's short name, unique among all listings.")),
  title: z.string().describe(prose("The title.")),
  summary: z.string().describe(prose("The offer in one sentence, for lists.")),
  description: z.string().describe(prose("The description, for people.")),
  categories: z
    .array(z.json())
    .describe(prose("The categories of the marketplace that the listing belongs to.")),
  tags: z.array(z.json()).describe(prose("Free words for searches.")),
});

const Revision = Content.extend({
  templateVersion: z
    .int()
    .nullable()
    .describe(prose("The template version that the edit offers. Null: none.")),
  status: z
    .enum(["DRAFT", "PENDING_REVIEW", "REJECTED"])
    .describe(prose("`DRAFT`: an edit withdrew it from review; submit it again.")),
  submittedAt: Timestamp.describe(prose("The time of the submission for review.")),
});

export const ListingView = Content.extend({
  id: Id,
  tenantId: z
    .uuid()
    .nullable()
    .describe(prose("The publisher. Null: the platform, or a tenant that is not the caller's.")),
  templateId: z
    .uuid()
    .nullable()
    .describe(
      prose(
        "The template that the listing offers. Null: hidden; only the publisher and operators see it.",
      ),
    ),
  templateVersion: z
    .int()
    .nullable()
    .describe(
      prose("The template version that is installed. Null: the listing was never submitted."),
    ),
  badges: z.array(z.json()).describe(prose("The badges that an operator gave.")),
  status: z
    .enum(listingStatuses)
    .describe(prose("The status. An edit of a published listing has its own, in `revision`.")),
  revision: Revision.nullable().describe(
    prose(
      "The edit that is to replace the live copy. Null: there is none, or hidden; only the publisher and operators see it.",
    ),
  ),
  reviewNotes: z
    .string()
    .nullable()
    .describe(
      prose(
        "The notes of the last review. Null: none, or hidden; only the publisher and operators see them.",
      ),
    ),
  submittedAt: Timestamp.nullable().describe(
    prose(
      "When the listing was submitted for review. Null: never, or hidden; only the publisher and operators see it.",
    ),
  ),
  submittedRevision: z
    .int()
    .nullable()
    .describe(
      prose(
        "The number of the last submission: 1, 2, 3. Null: never submitted, or hidden; only the publisher and operators see it.",
      ),
    ),
  publishedAt: Timestamp.nullable().describe(
    prose("When the live copy was approved. Null: never published."),
  ),
  publishedRevision: z
    .int()
    .nullable()
    .describe(prose("The number of the submission that was approved last. Null: never published.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

const reader = { role: "CustomerViewer", scope: "listings:read" } as const;
const publisher = { role: "CustomerAdmin", scope: "listings:write" } as const;

export const ListingSummary = ListingView.omit({ description: true }).extend({
  revision: Revision.omit({ description: true })
    .nullable()
    .describe(
      prose(
        "The edit that is to replace the live copy. Null: there is none, or hidden; only the publisher and operators see it.",
      ),
    ),
});

export const createListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings",
  operationId: "createListing",
  tag,
  summary: prose("Create a listing"),
  description: prose(
    "Creates a draft that only the publisher and operators see. Submit it for review to publish it.",
  ),
  access: publisher,
  body: CreateListingBody,
  exampleBody: {
    templateId: "01930000-0000-7000-8000-000000000001",
    slug: "small-network",
    title: "Small network",
    summary: "A network with one subnet, for trying things out.",
    categories: ["networking"],
    tags: ["starter"],
  },
  answer: { status: 201, description: prose("The listing."), schema: ListingView },
  location: "/marketplace/listings/{id}",
  etag: true,
  problems: ["slug_taken", "not_found", "quota_exceeded"],
});

export const listListingsEndpoint = endpoint({
  method: "GET",
  path: "/marketplace/listings",
  operationId: "listListings",
  tag,
  summary: prose("List listings"),
  description: prose(
    "Without their descriptions: read a listing for that. Lists published listings, and the caller's own in every status. Operators see all listings.",
  ),
  access: reader,
  query: z.object({
    ...pageQuery,
    q: z
      .string()
      .max(80)
      .optional()
      .describe(prose("Only listings with this text in the title, summary, slug or a tag.")),
    category: z
      .string()
      .max(200)
      .optional()
      .describe(prose("Only listings with exactly this category.")),
    tag: z.string().max(200).optional().describe(prose("Only listings with exactly this tag.")),
    status: severalOf(listingStatuses, "Only listings with this status."),
    ...createdFilters,
    sort: sortBy("createdAt", "title"),
    tenantId: TenantFilter.describe(
      prose(
        "Only listings of this publisher. Operators can name any tenant, others only their own.",
      ),
    ),
  }),
  answer: {
    status: 200,
    description: prose("A page of listings."),
    schema: pageOf(ListingSummary),
  },
  problems: ["invalid_cursor"],
});

export const getListingEndpoint = endpoint({
  method: "GET",
  path: "/marketplace/listings/{id}",
  operationId: "getListing",
  tag,
  summary: prose("Read a listing"),
  access: reader,
  params: IdParams,
  answer: { status: 200, description: prose("The listing."), schema: ListingView },
  etag: true,
});

export const updateListingEndpoint = endpoint({
  method: "PATCH",
  path: "/marketplace/listings/{id}",
  operationId: "updateListing",
  tag,
  summary: prose("Edit a listing"),
  description: prose(
    "Replaces the fields in the body. A listing that was published keeps its live copy; the edit goes into a revision that waits for review, with the template's latest version. A rejected listing becomes a draft again. An edit of what waits for review withdraws it: the listing or its revision becomes a draft, to be submitted again.",
  ),
  access: publisher,
  params: IdParams,
  body: UpdateListingBody,
  elsewhere: { badges: "POST /marketplace/listings/{id}/review" },
  exampleBody: { summary: "A network with two subnets, for trying things out.", tags: ["starter"] },
  bodyOptional: true,
  answer: { status: 200, description: prose("The listing."), schema: ListingView },
  etag: true,
  problems: ["slug_taken", "invalid_state", "conflict"],
});

export const deleteListingEndpoint = endpoint({
  method: "DELETE",
  path: "/marketplace/listings/{id}",
  operationId: "deleteListing",
  tag,
  summary: prose("Delete a listing"),
  description: prose("Templates that were installed from it remain."),
  access: publisher,
  params: IdParams,
  answer: { status: 204, description: prose("The listing is deleted.") },
  problems: ["conflict"],
});

export const submitListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings/{id}/submit",
  operationId: "submitListing",
  shows: "/marketplace/listings/{id}",
  tag,
  summary: prose("Submit a draft for review"),
  description: prose(
    "Submits a draft, or the revision of a published listing that an edit withdrew, with the template's latest version: this version is reviewed and, once published, installed.",
  ),
  access: publisher,
  params: IdParams,
  answer: { status: 200, description: prose("The listing."), schema: ListingView },
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const reviewListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings/{id}/review",
  operationId: "reviewListing",
  shows: "/marketplace/listings/{id}",
  tag,
  summary: prose("Review a listing"),
  description: prose(
    "`approve` publishes what waits for review, or lists an unlisted listing again. `reject` refuses what waits for review. `unlist` removes a published listing from the list. Send `If-Match` with the ETag that you read, so that exactly what you read is published. It is required to approve what was changed and submitted again within the last ten minutes. `publishedRevision` of the answer names the submission that was approved.",
  ),
  access: { role: "operator", scope: "listings:review" },
  params: IdParams,
  body: ReviewListingBody,
  exampleBody: { decision: "approve", badges: ["verified"], notes: "Works as it says." },
  answer: { status: 200, description: prose("The listing."), schema: ListingView },
  etag: true,
  problems: ["invalid_state", "slug_taken", "conflict", "precondition_failed"],
});

export const installListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings/{id}/install",
  operationId: "installListing",
  tag,
  summary: prose("Install a listing"),
  description: prose(
    "Copies the published version into the tenant, as version 1 of a new template. Later revisions of the listing do not change the copy.",
  ),
  access: { role: "CustomerDeveloper", scope: "templates:write" },
  params: IdParams,
  body: InstallListingBody,
  exampleBody: { name: "Small network" },
  bodyOptional: true,
  answer: { status: 201, description: prose("The new template."), schema: TemplateView },
  location: "/templates/{id}",
  etag: true,
  problems: ["conflict", "invalid_state", "not_found", "quota_exceeded"],
});
