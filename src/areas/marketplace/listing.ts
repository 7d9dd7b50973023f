/**
 * The statuses of a listing and the moves between them. A published listing changes only by an approved revision, so
 * that unreviewed content is never public. An edit withdraws a submission from review, so that a reviewer never
 * approves other content than the submitted one (decision 0032). Pure.
 */
import { TimeSpan } from "oslo";
import { ApiError } from "#kernel/errors.ts";
import { folded } from "#platform/text/folded.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Listing, ListingContent, ListingRevision, ListingStatus } from "#schema/listings.ts";
import type { ReviewDecision } from "./contract.ts";

const FRESH_MS = new TimeSpan(10, "m").milliseconds();

export type ListingAct = "edit" | "submit" | ReviewDecision;

/** `revision`: possible only while there is a revision in this status. */
type Move = { to: ListingStatus; revision?: ListingRevision["status"] };

const moves: Readonly<Record<ListingStatus, { readonly [act in ListingAct]?: Move }>> = {
  DRAFT: { edit: { to: "DRAFT" }, submit: { to: "PENDING_REVIEW" } },
  PENDING_REVIEW: {
    edit: { to: "DRAFT" },
    approve: { to: "PUBLISHED" },
    reject: { to: "REJECTED" },
  },
  PUBLISHED: {
    edit: { to: "PUBLISHED" },
    submit: { to: "PUBLISHED", revision: "DRAFT" },
    approve: { to: "PUBLISHED", revision: "PENDING_REVIEW" },
    reject: { to: "PUBLISHED", revision: "PENDING_REVIEW" },
    unlist: { to: "UNLISTED" },
  },
  REJECTED: { edit: { to: "DRAFT" } },
  UNLISTED: {
    edit: { to: "UNLISTED" },
    submit: { to: "UNLISTED", revision: "DRAFT" },
    approve: { to: "PUBLISHED" },
    reject: { to: "UNLISTED", revision: "PENDING_REVIEW" },
  },
};

/** The status that the act leads to. Throws `invalid_state` if it is not possible. */
export function statusAfter(
  { status, revision }: Pick<Listing, "status" | "revision">,
  act: ListingAct,
): ListingStatus {
  const possible = Object.entries(moves[status]).filter(
    ([, move]) => move.revision === undefined || revision?.status === move.revision,
  );
  const move = possible.find(([name]) => name === act)?.[1];
  if (move !== undefined) return move.to;
  throw new ApiError(
    "invalid_state",
    `A listing that is ${status}${status === "PUBLISHED" && revision?.status !== "PENDING_REVIEW" ? " and has no revision that waits for review" : ""} does not allow ${act}. Possible now: ${possible.map(([name]) => name).join(", ")}.`,
  );
}

/**
 * An edit of the listing itself or, once it was published, of its revision. The first edit of a published listing
 * submits it; an edit of a submission withdraws it from review.
 */
export function edited(
  before: Listing,
  changes: Partial<ListingContent>,
  at: { nowMs: number; latestVersion: number | undefined },
): Listing {
  const status = statusAfter(before, "edit");
  if (status === "DRAFT") return withContent({ ...before, status }, changes);
  const { revision } = before;
  const content = { ...contentOf(revision ?? before), ...changes };
  if (revision !== null && revision.status !== "REJECTED")
    return { ...before, revision: { ...revision, ...content, status: "DRAFT" } };
  // An approval of other content may still arrive: for an unlisted listing, of its live copy; soon after an approval,
  // the same one again (a double click, a retry).
  const isAgain =
    revision !== null ||
    status === "UNLISTED" ||
    (before.publishedAtMs !== null && at.nowMs - before.publishedAtMs < FRESH_MS);
  return revisionSubmitted(before, content, { ...at, isAgain });
}

/** Submits a draft, or a withdrawn revision. */
export function submitted(before: Listing, latestVersion: number, nowMs: number): Listing {
  const status = statusAfter(before, "submit");
  const { revision } = before;
  if (revision !== null)
    return revisionSubmitted(before, contentOf(revision), { nowMs, latestVersion, isAgain: true });
  return {
    ...before,
    status,
    templateVersion: latestVersion,
    submittedAtMs: nowMs,
    submittedRevision: (before.submittedRevision ?? 0) + 1,
    resubmittedAtMs: before.submittedAtMs === null ? null : nowMs,
  };
}

function revisionSubmitted(
  before: Listing,
  content: ListingContent,
  at: { nowMs: number; latestVersion: number | undefined; isAgain: boolean },
): Listing {
  return {
    ...before,
    submittedRevision: (before.submittedRevision ?? 0) + 1,
    resubmittedAtMs: at.isAgain ? at.nowMs : null,
    revision: {
      ...content,
      templateVersion: at.latestVersion ?? before.templateVersion,
      status: "PENDING_REVIEW",
      submittedAtMs: at.nowMs,
    },
  };
}

/** True: the listing or its revision waits for review. */
export function waitsForReview({ status, revision }: Pick<Listing, "status" | "revision">) {
  return status === "PENDING_REVIEW" || revision?.status === "PENDING_REVIEW";
}

/**
 * Throws `invalid_state` for an approval without a version, if the content was submitted again within ten minutes: the
 * reviewer may have read the earlier submission, or be repeating the last approval.
 */
export function requireReadSubmission(
  before: Pick<Listing, "status" | "revision" | "resubmittedAtMs" | "submittedRevision">,
  nowMs: number,
): void {
  const { resubmittedAtMs } = before;
  if (!waitsForReview(before) || resubmittedAtMs === null || nowMs - resubmittedAtMs >= FRESH_MS)
    return;
  throw new ApiError(
    "invalid_state",
    `The listing was changed and submitted again at ${timestamp(resubmittedAtMs)}, as revision ${before.submittedRevision}. Read it, then approve it with \`If-Match\` and the ETag that you read.`,
  );
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
  if (!waitsForReview(before)) return published;
  published.publishedRevision = before.submittedRevision;
  if (revision === null) return published;
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

/** The fields that lists sort and search by. */
export function derivedOf(content: ListingContent): Pick<Listing, "sortTitle" | "searchText"> {
  const { title, summary, slug, tags } = content;
  const words = tags.filter((tag) => typeof tag === "string");
  return {
    sortTitle: title.toLowerCase(),
    searchText: folded([title, summary, slug, ...words].join("\n")),
  };
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
