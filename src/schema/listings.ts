import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Json } from "#platform/json.ts";

export const listingStatuses = [
  "DRAFT",
  "PENDING_REVIEW",
  "PUBLISHED",
  "REJECTED",
  "UNLISTED",
] as const;
export type ListingStatus = (typeof listingStatuses)[number];

/** The content that a publisher writes and a reviewer reads. */
export interface ListingContent {
  slug: string;
  title: string;
  summary: string;
  description: string;
  categories: readonly Json[];
  tags: readonly Json[];
}

/** The submitted content that replaces the published content once approved. */
export interface ListingRevision extends ListingContent {
  templateVersion: number | null;
  /** `DRAFT`: withdrawn by an edit, until it is submitted again. */
  status: "DRAFT" | "PENDING_REVIEW" | "REJECTED";
  submittedAtMs: number;
}

export const listings = sqliteTable(
  "listings",
  {
    id: text().primaryKey(),
    /** The publisher. `platform`: the operator. */
    tenantId: text().notNull(),
    templateId: text().notNull(),
    /** The submitted version. Only the reviewed version is installed, no later one. */
    templateVersion: integer(),
    slug: text().notNull(),
    title: text().notNull(),
    summary: text().notNull(),
    description: text().notNull(),
    categories: text({ mode: "json" }).$type<readonly Json[]>().notNull(),
    tags: text({ mode: "json" }).$type<readonly Json[]>().notNull(),
    badges: text({ mode: "json" }).$type<readonly Json[]>().notNull(),
    status: text().$type<ListingStatus>().notNull(),
    /** Only for listings that have been published. */
    revision: text({ mode: "json" }).$type<ListingRevision>(),
    reviewNotes: text(),
    /** Number of installs. Orders events together with `version`, because an install does not change the listing. */
    installs: integer().notNull(),
    /** The title in lower case, for sorting. */
    sortTitle: text().notNull(),
    /** The searchable texts in the form that `q` searches (`folded`). */
    searchText: text().notNull(),
    submittedAtMs: integer(),
    /** The number of the last submission: 1, 2, 3. */
    submittedRevision: integer(),
    /** The number of the submission that was approved last. */
    publishedRevision: integer(),
    /** The time of the last submission; null: it is the first that a reviewer can have read. */
    resubmittedAtMs: integer(),
    /** The time at which the published content was approved. */
    publishedAtMs: integer(),
    version: integer().notNull(),
    createdAtMs: integer().notNull(),
    updatedAtMs: integer().notNull(),
  },
  (t) => [
    index("listings_by_tenant").on(t.tenantId, t.id),
    index("listings_by_tenant_title").on(t.tenantId, t.sortTitle, t.id),
    index("listings_by_status").on(t.status, t.id),
    index("listings_by_status_title").on(t.status, t.sortTitle, t.id),
    index("listings_by_template").on(t.templateId),
    index("listings_by_title").on(t.sortTitle, t.id),
  ],
);

/** Every current and submitted slug of a listing, so that no two listings share one. */
export const listingSlugs = sqliteTable(
  "listing_slugs",
  {
    slug: text().primaryKey(),
    tenantId: text().notNull(),
    listingId: text().notNull(),
  },
  (t) => [
    index("listing_slugs_by_listing").on(t.listingId),
    index("listing_slugs_by_tenant").on(t.tenantId),
  ],
);

export type Listing = typeof listings.$inferSelect;
