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

/** What a publisher writes and a reviewer reads. */
export interface ListingContent {
  slug: string;
  title: string;
  summary: string;
  description: string;
  categories: readonly Json[];
  tags: readonly Json[];
}

/** What is to take the place of the live copy, once it is approved. */
export interface ListingRevision extends ListingContent {
  templateVersion: number | null;
  status: "PENDING_REVIEW" | "REJECTED";
  submittedAtMs: number;
}

export const listings = sqliteTable(
  "listings",
  {
    id: text().primaryKey(),
    /** The publisher. `platform`: the operator. */
    tenantId: text().notNull(),
    templateId: text().notNull(),
    /** The version that was submitted, and no later one: what was reviewed is what is installed. */
    templateVersion: integer(),
    slug: text().notNull(),
    title: text().notNull(),
    summary: text().notNull(),
    description: text().notNull(),
    categories: text({ mode: "json" }).$type<readonly Json[]>().notNull(),
    tags: text({ mode: "json" }).$type<readonly Json[]>().notNull(),
    badges: text({ mode: "json" }).$type<readonly Json[]>().notNull(),
    status: text().$type<ListingStatus>().notNull(),
    /** Only of a listing that was published once. */
    revision: text({ mode: "json" }).$type<ListingRevision>(),
    reviewNotes: text(),
    /** With the version it orders the events: installing does not change the listing itself. */
    installs: integer().notNull(),
    /** The title in lower case, which is what titles sort by. */
    sortTitle: text().notNull(),
    /** What `q` looks in, in lower case. */
    searchText: text().notNull(),
    submittedAtMs: integer(),
    /** When the live copy was approved. */
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
    index("listings_by_title").on(t.sortTitle, t.id),
  ],
);

/** Every slug that a listing has or is to have after its revision: no two listings meet, live or not. */
export const listingSlugs = sqliteTable(
  "listing_slugs",
  {
    slug: text().primaryKey(),
    tenantId: text().notNull(),
    listingId: text().notNull(),
  },
  (t) => [index("listing_slugs_by_listing").on(t.listingId)],
);

export type Listing = typeof listings.$inferSelect;
