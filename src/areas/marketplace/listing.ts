/**
 * The statuses of a listing and the moves between them. A published listing changes only by an approved
 * revision, so that unreviewed content is never public. Pure.
 */
import { ApiError } from "#kernel/errors.ts";
import type { Listing, ListingContent, ListingStatus } from "#schema/listings.ts";
import type { ReviewDecision } from "./contract.ts";

export type ListingAct = "edit" | "submit" | ReviewDecision;

/** `revision`: possible only while a revision waits for review. */
type Move = { to: ListingStatus; revision?: true };

const moves: Readonly<Record<ListingStatus, { readonly [act in ListingAct]?: Move }>> = {
  DRAFT: { edit: { to: "DRAFT" }, submit: { to: "PENDING_REVIEW" } },
  PENDING_REVIEW: { approve: { to: "PUBLISHED" }, reject: { to: "REJECTED" } },
  PUBLISHED: {
    edit: { to: "PUBLISHED" },
    approve: { to: "PUBLISHED", revision: true },
    reject: { to: "PUBLISHED", revision: true },
    unlist: { to: "UNLISTED" },
  },
  REJECTED: { edit: { to: "DRAFT" } },
  UNLISTED: {
    edit: { to: "UNLISTED" },
    approve: { to: "PUBLISHED" },
    reject: { to: "UNLISTED", revision: true },
  },
};

/** The status that the act leads to. Throws `invalid_state` if it is not possible. */
export function statusAfter(
  { status, revision }: Pick<Listing, "status" | "revision">,
  act: ListingAct,
): ListingStatus {
  const possible = Object.entries(moves[status]).filter(
    ([, move]) => move.revision !== true || revision?.status === "PENDING_REVIEW",
  );
  const move = possible.find(([name]) => name === act)?.[1];
  if (move !== undefined) return move.to;
  throw new ApiError(
    "invalid_state",
    `A listing that is ${status}${status === "PUBLISHED" && revision?.status !== "PENDING_REVIEW" ? " and has no revision that waits for review" : ""} does not allow ${act}. Possible now: ${possible.map(([name]) => name).join(", ")}.`,
  );
}

/** An edit of the listing itself or, once it was published, of its revision. */
export function edited(
  before: Listing,
  changes: Partial<ListingContent>,
  at: { nowMs: number; latestVersion: number | undefined },
): Listing {
  const status = statusAfter(before, "edit");
  if (status === "DRAFT") return withContent({ ...before, status }, changes);
  return {
    ...before,
    revision: {
      ...contentOf(before.revision ?? before),
      ...changes,
      templateVersion: at.latestVersion ?? before.templateVersion,
      status: "PENDING_REVIEW",
      submittedAtMs: at.nowMs,
    },
  };
}

export function submitted(before: Listing, templateVersion: number, nowMs: number): Listing {
  const status = statusAfter(before, "submit");
  return { ...before, status, templateVersion, submittedAtMs: nowMs };
}

/** A review decision about the listing, its revision or its live copy. */
export function reviewed(
  before: Listing,
  decision: ReviewDecision,
  review: { badges: Listing["badges"]; notes: string | null; nowMs: number },
): Listing {
  const status = statusAfter(before, decision);
  const after: Listing = { ...before, status, reviewNotes: review.notes };
  const { revision } = before;
  if (decision === "unlist") return after;
  if (decision === "reject")
    return revision === null ? after : { ...after, revision: { ...revision, status: "REJECTED" } };
  const published: Listing = { ...after, badges: review.badges, publishedAtMs: review.nowMs };
  if (revision?.status !== "PENDING_REVIEW") return published;
  const { templateVersion, submittedAtMs } = revision;
  return withContent(
    { ...published, templateVersion, submittedAtMs, revision: null },
    contentOf(revision),
  );
}

/** The listing with this content and the fields derived from it. */
export function withContent(listing: Listing, content: Partial<ListingContent>): Listing {
  const after = { ...listing, ...content };
  return { ...after, ...derivedOf(after) };
}

/** The fields that lists sort by and search in. */
export function derivedOf(content: ListingContent): Pick<Listing, "sortTitle" | "searchText"> {
  const { title, summary, slug, tags } = content;
  const words = tags.filter((tag) => typeof tag === "string");
  return {
    sortTitle: title.toLowerCase(),
    searchText: searchable([title, summary, slug, ...words].join("\n")),
  };
}

/** Normalizes text for search: case and Unicode composition do not matter. */
export function searchable(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

/** The slugs that a change reserves and releases. */
export function slugChanges(
  before: Pick<Listing, "slug" | "revision">,
  after: Pick<Listing, "slug" | "revision">,
): { taken: string[]; freed: string[] } {
  const [held, kept] = [slugsOf(before), slugsOf(after)];
  return {
    taken: [...kept].filter((slug) => !held.has(slug)),
    freed: [...held].filter((slug) => !kept.has(slug)),
  };
}

function slugsOf({ slug, revision }: Pick<Listing, "slug" | "revision">): Set<string> {
  return new Set(revision === null ? [slug] : [slug, revision.slug]);
}

export function contentOf(listing: ListingContent): ListingContent {
  const { slug, title, summary, description, categories, tags } = listing;
  return { slug, title, summary, description, categories, tags };
}
