import * as z from "zod";
import { TemplateView } from "#areas/templates/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { IdParams, PathId, TenantIdField, Timestamp } from "#http/schemas.ts";
import { listingStatuses } from "#schema/listings.ts";

const tag = "Marketplace";

export const reviewDecisions = ["approve", "reject", "unlist"] as const;
export type ReviewDecision = (typeof reviewDecisions)[number];

export const listingSorts = ["createdAt", "-createdAt", "title", "-title"] as const;
export type ListingSort = (typeof listingSorts)[number];

const Slug = z
  .string()
  .regex(/^[a-z][a-z0-9-]{2,62}$/, "A letter, then 2 to 62 of a-z, 0-9 and -.");
const Title = z.string().min(3).max(80);
const Summary = z.string().min(10).max(240);
const Description = z.string().max(8000);
const Categories = z.array(z.json()).min(1).max(4);
const Tags = z.array(z.json()).max(8);
const Badges = z.array(z.json());

export const CreateListingBody = z.object({
  templateId: PathId,
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
  description: Description.optional().describe("Absent: stays as it is. A new listing's is empty."),
  categories: Categories.optional(),
  tags: Tags.optional().describe("Absent: stay as they are. A new listing has none."),
});

export const ReviewListingBody = z.object({
  decision: z.enum(reviewDecisions),
  badges: Badges.default([]).describe("What an approval gives; other decisions leave them alone."),
  notes: z.string().max(2000).optional().describe("For the publisher to read."),
});

export const InstallListingBody = z.object({
  name: z.string().min(2).max(80).optional().describe("Of the template. Default: the title."),
  tenantId: TenantIdField,
});

const Content = z.object({
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  description: z.string(),
  categories: z.array(z.json()),
  tags: z.array(z.json()),
});

export const ListingView = Content.extend({
  id: z.uuid(),
  tenantId: z.uuid().nullable().describe("Null: the platform's, or another tenant's."),
  templateId: z.uuid().nullable().describe("Null: shown to its publisher and to operators only."),
  templateVersion: z
    .int()
    .nullable()
    .describe("The version that is installed. Null: never submitted."),
  badges: z.array(z.json()),
  status: z.enum(listingStatuses),
  revision: Content.extend({
    templateVersion: z.int().nullable(),
    status: z.enum(["PENDING_REVIEW", "REJECTED"]),
    submittedAt: Timestamp,
  })
    .nullable()
    .describe(
      "What is to take the place of the live copy. Shown to its publisher and to operators only.",
    ),
  reviewNotes: z.string().nullable().describe("For its publisher and for operators only."),
  submittedAt: Timestamp.nullable(),
  publishedAt: Timestamp.nullable().describe("When the live copy was approved."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const reader = { role: "CustomerViewer", scope: "listings:read" } as const;
const publisher = { role: "CustomerAdmin", scope: "listings:write" } as const;

export const createListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings",
  operationId: "createListing",
  tag,
  summary: "Create a listing",
  description: "A draft, which its publisher alone sees. Submit it to have it published.",
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
  answer: { status: 201, description: "The listing.", schema: ListingView },
  location: "/marketplace/listings/{id}",
  etag: true,
  problems: ["slug_taken", "not_found"],
});

export const listListingsEndpoint = endpoint({
  method: "GET",
  path: "/marketplace/listings",
  operationId: "listListings",
  tag,
  summary: "List listings",
  description: "What is published, and the caller's own in every state. Operators see all.",
  access: reader,
  query: z.object({
    ...pageQuery,
    q: z.string().max(80).optional().describe("Text in the title, the summary, the slug or a tag."),
    category: z.string().max(200).optional().describe("Exactly one of its categories."),
    tag: z.string().max(200).optional().describe("Exactly one of its tags."),
    status: z.enum(listingStatuses).optional(),
    sort: z.enum(listingSorts).default("-createdAt"),
    tenantId: TenantIdField.describe(
      "Of this publisher only: operators may name any, others their own.",
    ),
  }),
  answer: { status: 200, description: "A page of listings.", schema: pageOf(ListingView) },
  problems: ["invalid_cursor"],
});

export const getListingEndpoint = endpoint({
  method: "GET",
  path: "/marketplace/listings/{id}",
  operationId: "getListing",
  tag,
  summary: "Read a listing",
  access: reader,
  params: IdParams,
  answer: { status: 200, description: "The listing.", schema: ListingView },
  etag: true,
});

export const updateListingEndpoint = endpoint({
  method: "PATCH",
  path: "/marketplace/listings/{id}",
  operationId: "updateListing",
  tag,
  summary: "Edit a listing",
  description:
    "Fields that are named are replaced. What was published once keeps its live copy: the edit becomes, or changes, the revision that waits for review, with the template's latest version. A rejected listing becomes a draft. What is being reviewed for the first time cannot be edited.",
  access: publisher,
  params: IdParams,
  body: UpdateListingBody,
  exampleBody: { summary: "A network with two subnets, for trying things out.", tags: ["starter"] },
  bodyOptional: true,
  answer: { status: 200, description: "The listing.", schema: ListingView },
  etag: true,
  problems: ["slug_taken", "invalid_state", "conflict"],
});

export const deleteListingEndpoint = endpoint({
  method: "DELETE",
  path: "/marketplace/listings/{id}",
  operationId: "deleteListing",
  tag,
  summary: "Delete a listing",
  description: "Templates that were installed from it stay.",
  access: publisher,
  params: IdParams,
  answer: { status: 204, description: "Deleted." },
  problems: ["conflict"],
});

export const submitListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings/{id}/submit",
  operationId: "submitListing",
  tag,
  summary: "Submit a draft for review",
  description: "With the template's latest version: that one is reviewed, and installed later.",
  access: publisher,
  params: IdParams,
  answer: { status: 200, description: "The listing.", schema: ListingView },
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const reviewListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings/{id}/review",
  operationId: "reviewListing",
  tag,
  summary: "Review a listing",
  description:
    "`approve` publishes what waits for review, or lists an unlisted one again; `reject` refuses what waits for review; `unlist` takes a published one off the list. Send `If-Match` with the ETag that was read: then nothing but what was read is published.",
  access: { role: "operator", scope: "listings:review" },
  params: IdParams,
  body: ReviewListingBody,
  exampleBody: { decision: "approve", badges: ["verified"], notes: "Works as it says." },
  answer: { status: 200, description: "The listing.", schema: ListingView },
  etag: true,
  problems: ["invalid_state", "slug_taken", "conflict", "precondition_failed"],
});

export const installListingEndpoint = endpoint({
  method: "POST",
  path: "/marketplace/listings/{id}/install",
  operationId: "installListing",
  tag,
  summary: "Install a listing",
  description:
    "Copies the published version into the caller's tenant, as version 1 of a template of its own. It is the tenant's from then on: later revisions of the listing do not change it.",
  access: { role: "CustomerDeveloper", scope: "templates:write" },
  params: IdParams,
  body: InstallListingBody,
  exampleBody: { name: "Small network" },
  bodyOptional: true,
  answer: { status: 201, description: "The template.", schema: TemplateView },
  location: "/templates/{id}",
  etag: true,
  problems: ["conflict", "invalid_state", "not_found"],
});
