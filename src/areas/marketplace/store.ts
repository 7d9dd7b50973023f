import { desc, getTableColumns, type SQL, sql } from "drizzle-orm";
import {
  afterCursor,
  allOf,
  among,
  contains,
  filtered,
  type ListFilters,
  onePage,
} from "#http/lists/list-rows.ts";
import type { PageRequest } from "#http/lists/page.ts";
import { rowsInScope } from "#http/lists/rows-in-scope.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import {
  type Listing,
  type ListingRevision,
  listings,
  listingSlugs,
  type ListingStatus,
} from "#schema/listings.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { templateVersions } from "#schema/templates.ts";
import { slugChanges } from "./listing.ts";

const selectListings = selectFrom(listings);

type ListedRevision = Omit<ListingRevision, "description">;

/** The columns for lists, without the long texts. */
export type ListedListing = Omit<Listing, "description" | "searchText" | "revision"> & {
  revision: ListedRevision | null;
};

const { description: _, searchText: __, ...listed } = getTableColumns(listings);
const selectListed = selectFrom(listings, {
  ...listed,
  // Drizzle drops table names in selected columns.
  revision: sql<ListedRevision | null>`json_remove(listings.revision, '$.description')`
    .mapWith((text: string | null) => (text === null ? null : (JSON.parse(text) as ListedRevision)))
    .as("revision"),
});

export interface ListingFilters extends Pick<
  ListFilters,
  "tenantId" | "createdAfter" | "createdBefore"
> {
  q?: string | undefined;
  category?: string | undefined;
  tag?: string | undefined;
  status?: readonly ListingStatus[] | undefined;
}

/** The listing with this id, if the caller may read it: a published one, or the caller's own. */
export function findListing(call: Call, id: string) {
  const t = listings;
  return selectListings.where(
    sql`${t.id} = ${id} AND (${t.status} = 'PUBLISHED' OR ${call.inScope(t.tenantId)})`,
  );
}

/**
 * One more than the page holds. The caller's own and the published listings are merged in the order of their index, so
 * without a filter only the rows of the page are read. For an operator, all listings are their own. A tenant can filter
 * by itself as publisher only: other publishers are not disclosed.
 */
export function findListings(call: Call, page: PageRequest, filters: ListingFilters) {
  const t = listings;
  const inScope = call.permitted(t.tenantId);
  const { q, category, tag, status, tenantId, createdAfter, createdBefore } = filters;
  const listed = { tenantId, createdAfter, createdBefore };
  const conditions = [
    ...among(t.status, status),
    ...(category === undefined ? [] : [includes(sql`${t.categories}`, category)]),
    ...(tag === undefined ? [] : [includes(sql`${t.tags}`, tag)]),
    ...(q === undefined ? [] : [contains(t.searchText, q)]),
  ];
  // With this filter, the tenant's own listings are all.
  const published =
    tenantId === undefined
      ? sql`${t.status} = 'PUBLISHED' AND NOT (${inScope})`
      : sql`${t.id} = ''`;
  return selectListed.whereEither(
    [
      rowsInScope(call, t, page, listed, { conditions }),
      allOf([published, ...filtered(t, listed, page), ...conditions, ...afterCursor(t, page)]),
    ],
    onePage(t, page),
  );
}

function includes(list: SQL, value: string): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${list}) item WHERE item.value = ${value})`;
}

/** The version that a submission would offer: the latest one that is not deprecated. */
export function findOfferedVersion(call: Call, listingId: string) {
  const v = templateVersions;
  return call.db
    .select({ number: v.number, components: v.components })
    .from(v)
    .where(
      sql`(${v.templateId}, ${v.tenantId}) = (SELECT ${listings.templateId}, ${listings.tenantId} FROM ${listings}
          WHERE ${listings.id} = ${listingId} AND ${call.inScope(listings.tenantId)})
        AND ${v.deprecatedAtMs} IS NULL`,
    )
    .orderBy(desc(v.number))
    .limit(1);
}

/**
 * The version that a published listing offers. Publication gives the caller access to another tenant's
 * version.
 */
export function findPublishedVersion(call: Call, listingId: string) {
  const v = templateVersions;
  const l = listings;
  return call.db
    .select()
    .from(v)
    .where(
      sql`(${v.templateId}, ${v.number}, ${v.tenantId}) = (SELECT ${l.templateId}, ${l.templateVersion}, ${l.tenantId} FROM ${l}
        WHERE ${l.id} = ${listingId} AND ${l.status} = 'PUBLISHED')`,
    );
}

/** The writes of a change to a listing, with the slugs that it reserves and releases. */
export function setListing(call: Call, before: Listing, after: Listing): Write[] {
  const { id, tenantId, installs: _, ...values } = after;
  const { taken, freed } = slugChanges(before, after);
  return [
    call.requireVersion(listings, before),
    call.write(
      tenantId,
      call.db
        .update(listings)
        .set(values)
        .where(sql`${listings.id} = ${id} AND ${listings.tenantId} = ${tenantId}`),
    ),
    ...freed.map((slug) =>
      call.write(
        tenantId,
        call.db
          .delete(listingSlugs)
          .where(
            sql`${listingSlugs.slug} = ${slug} AND ${listingSlugs.listingId} = ${id} AND ${listingSlugs.tenantId} = ${tenantId}`,
          ),
      ),
    ),
    ...taken.map((slug) =>
      call.write(tenantId, call.db.insert(listingSlugs).values({ slug, tenantId, listingId: id })),
    ),
  ];
}

/** An event of a listing; its sequence counts versions and installations. Put it after the change. */
export function listingEvent(
  type: EventType,
  listing: Pick<Listing, "id" | "tenantId" | "slug" | "status">,
  data: { revision?: boolean } = {},
) {
  const { id, tenantId, slug, status } = listing;
  const sequence = sql`(SELECT ${listings.version} + ${listings.installs} FROM ${listings}
    WHERE ${listings.id} = ${id} AND ${listings.tenantId} = ${tenantId})`;
  return event(type, { tenantId, id, sequence }, { slug, status, ...data });
}
