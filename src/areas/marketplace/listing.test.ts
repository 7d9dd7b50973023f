import { describe, expect, it } from "vitest";
import {
  type Listing,
  type ListingRevision,
  type ListingStatus,
  listingStatuses,
} from "#schema/listings.ts";
import {
  derivedOf,
  edited,
  type ListingAct,
  requireReadSubmission,
  reviewed,
  slugChanges,
  statusAfter,
  submitted,
} from "./listing.ts";

const content = {
  slug: "web",
  title: "Web",
  summary: "A web server.",
  description: "",
  categories: ["web"],
  tags: [],
};
const draft: Listing = {
  ...content,
  ...derivedOf(content),
  id: "l1",
  tenantId: "t1",
  templateId: "tp1",
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
  createdAtMs: 1,
  updatedAtMs: 1,
};
const pending: ListingRevision = {
  ...content,
  title: "Web 2",
  slug: "web-2",
  templateVersion: 2,
  status: "PENDING_REVIEW",
  submittedAtMs: 5,
};
const rejected: ListingRevision = { ...pending, status: "REJECTED" };
const withdrawn: ListingRevision = { ...pending, status: "DRAFT" };
const acts = ["edit", "submit", "approve", "reject", "unlist"] as const;
const review = { badges: ["verified"], notes: "Fine.", nowMs: 9 };

type Moves = { readonly [act in ListingAct]?: ListingStatus };

describe("the moves of a listing", () => {
  const withoutRevision: Record<ListingStatus, Moves> = {
    DRAFT: { edit: "DRAFT", submit: "PENDING_REVIEW" },
    PENDING_REVIEW: { edit: "DRAFT", approve: "PUBLISHED", reject: "REJECTED" },
    PUBLISHED: { edit: "PUBLISHED", unlist: "UNLISTED" },
    REJECTED: { edit: "DRAFT" },
    UNLISTED: { edit: "UNLISTED", approve: "PUBLISHED" },
  };
  const withRevision: Partial<Record<ListingStatus, Moves>> = {
    PUBLISHED: { edit: "PUBLISHED", approve: "PUBLISHED", reject: "PUBLISHED", unlist: "UNLISTED" },
    UNLISTED: { edit: "UNLISTED", approve: "PUBLISHED", reject: "UNLISTED" },
  };
  const withDraft: Partial<Record<ListingStatus, Moves>> = {
    PUBLISHED: { edit: "PUBLISHED", submit: "PUBLISHED", unlist: "UNLISTED" },
    UNLISTED: { edit: "UNLISTED", submit: "UNLISTED", approve: "PUBLISHED" },
  };
  const cases = listingStatuses.flatMap((status) =>
    acts.flatMap((act) => [
      { status, act, revision: null, to: withoutRevision[status][act] },
      { status, act, revision: rejected, to: withoutRevision[status][act] },
      {
        status,
        act,
        revision: pending,
        to: (withRevision[status] ?? withoutRevision[status])[act],
      },
      {
        status,
        act,
        revision: withdrawn,
        to: (withDraft[status] ?? withoutRevision[status])[act],
      },
    ]),
  );

  it.for(cases.filter(({ to }) => to !== undefined))(
    "lead from $status by $act to $to",
    ({ status, act, revision, to }) => {
      expect(statusAfter({ status, revision }, act)).toBe(to);
    },
  );

  it.for(cases.filter(({ to }) => to === undefined))(
    "do not allow $act in $status (revision: $revision.status)",
    ({ status, act, revision }) => {
      expect(() => statusAfter({ status, revision }, act)).toThrow(
        expect.objectContaining({ code: "invalid_state" }),
      );
    },
  );

  it("are listed in the error", () => {
    expect(() => statusAfter(draft, "approve")).toThrow(/DRAFT.*approve.*edit, submit/);
  });
});

describe("an edit", () => {
  const at = { nowMs: 7, latestVersion: 3 };

  it("changes a draft and its derived fields", () => {
    const after = edited(draft, { title: "Édge" }, at);
    expect(after).toMatchObject({ status: "DRAFT", title: "Édge", revision: null });
    expect(after.sortTitle).toBe("édge");
    expect(after.searchText).toContain("ÉDGE");
  });

  it("makes a rejected listing a draft", () => {
    expect(edited({ ...draft, status: "REJECTED" }, { title: "New" }, at).status).toBe("DRAFT");
  });

  it.for(["PUBLISHED", "UNLISTED"] as const)("keeps the live copy of a %s listing", (status) => {
    const live: Listing = { ...draft, status, templateVersion: 1 };
    const after = edited(live, { title: "New" }, at);
    expect({ ...after, revision: null }).toEqual({
      ...live,
      submittedRevision: 1,
      resubmittedAtMs: status === "UNLISTED" ? 7 : null,
    });
    expect(after.revision).toEqual({
      ...content,
      title: "New",
      templateVersion: 3,
      status: "PENDING_REVIEW",
      submittedAtMs: 7,
    });
  });

  it("submits a first revision again within ten minutes of the approval", () => {
    const live: Listing = { ...draft, status: "PUBLISHED", publishedAtMs: 3 };
    const isAgain = (nowMs: number) =>
      edited(live, { title: "New" }, { ...at, nowMs }).resubmittedAtMs === nowMs;
    const minutes = 60_000;
    expect([4, 2 + 10 * minutes, 3 + 10 * minutes].map(isAgain)).toEqual([true, true, false]);
  });

  it("changes the existing revision, and submits a rejected one again", () => {
    const live: Listing = { ...draft, status: "PUBLISHED", revision: rejected };
    const { revision } = edited(live, { summary: "Another summary." }, at);
    expect(revision).toMatchObject({ title: "Web 2", status: "PENDING_REVIEW", submittedAtMs: 7 });
  });

  it("withdraws a submission from review, until it is submitted again", () => {
    const listing = edited(submitted(draft, 1, 3), { title: "New" }, at);
    expect(listing).toMatchObject({ status: "DRAFT", title: "New" });
    expect(submitted(listing, 2, 8)).toMatchObject({
      status: "PENDING_REVIEW",
      templateVersion: 2,
      submittedRevision: 2,
      resubmittedAtMs: 8,
    });
    const live: Listing = { ...draft, status: "PUBLISHED", submittedRevision: 2 };
    const once = edited({ ...live, revision: pending }, { title: "New" }, at);
    expect(once.revision).toEqual({ ...pending, title: "New", status: "DRAFT" });
    const twice = edited(once, { title: "Newer" }, at);
    expect(twice.revision).toEqual({ ...pending, title: "Newer", status: "DRAFT" });
    expect(submitted(twice, 4, 8)).toMatchObject({
      status: "PUBLISHED",
      submittedRevision: 3,
      resubmittedAtMs: 8,
      revision: {
        title: "Newer",
        status: "PENDING_REVIEW",
        templateVersion: 4,
        submittedAtMs: 8,
      },
    });
  });

  it("keeps the offered version if the template has no other", () => {
    const live: Listing = { ...draft, status: "PUBLISHED", templateVersion: 4 };
    const after = edited(live, { title: "New" }, { nowMs: 7, latestVersion: undefined });
    expect(after.revision?.templateVersion).toBe(4);
  });
});

describe("a review", () => {
  const waiting = submitted(draft, 1, 3);

  it("publishes the submitted content", () => {
    expect(waiting).toMatchObject({ status: "PENDING_REVIEW", templateVersion: 1 });
    expect(reviewed(waiting, "approve", review)).toEqual({
      ...waiting,
      status: "PUBLISHED",
      badges: ["verified"],
      reviewNotes: "Fine.",
      publishedAtMs: 9,
      publishedRevision: 1,
    });
  });

  it.for([
    ["first submitted", { ...waiting, resubmittedAtMs: null }, false],
    ["submitted again", { ...waiting, resubmittedAtMs: 3 }, true],
    ["a revision submitted again", { ...draft, revision: pending, resubmittedAtMs: 3 }, true],
    ["withdrawn again", { ...draft, resubmittedAtMs: 3 }, false],
  ] as const)("of content %s has to name the version: case %#", ([, listing, refused]) => {
    const at = (nowMs: number) => () => {
      requireReadSubmission(listing, nowMs);
    };
    const minutes = 60_000;
    expect(at(3 + 10 * minutes)).not.toThrow();
    if (refused) expect(at(2 + 10 * minutes)).toThrow(/submitted again.*Read it.*If-Match/);
    else expect(at(4)).not.toThrow();
  });

  it("rejects without badges and without publishing", () => {
    expect(reviewed(waiting, "reject", review)).toEqual({
      ...waiting,
      status: "REJECTED",
      reviewNotes: "Fine.",
    });
  });

  it("replaces the live copy with an approved revision", () => {
    const live: Listing = {
      ...draft,
      status: "PUBLISHED",
      templateVersion: 1,
      revision: pending,
      publishedAtMs: 3,
    };
    const after = reviewed(live, "approve", review);
    expect(after).toMatchObject({
      title: "Web 2",
      publishedAtMs: review.nowMs,
      slug: "web-2",
      sortTitle: "web 2",
      templateVersion: 2,
      submittedAtMs: 5,
      revision: null,
      badges: ["verified"],
    });
  });

  it("keeps a rejected revision for its publisher, and the live copy for everyone", () => {
    const live: Listing = { ...draft, status: "PUBLISHED", badges: ["b"], revision: pending };
    const after = reviewed(live, "reject", review);
    expect(after).toEqual({ ...live, reviewNotes: "Fine.", revision: rejected });
  });

  it("lists an unlisted listing again, without its rejected revision", () => {
    const off: Listing = { ...draft, status: "UNLISTED", templateVersion: 1, revision: rejected };
    expect(reviewed(off, "approve", review)).toMatchObject({
      status: "PUBLISHED",
      title: "Web",
      templateVersion: 1,
      revision: rejected,
    });
  });

  it("unlists and changes nothing else", () => {
    const live: Listing = { ...draft, status: "PUBLISHED", badges: ["b"], revision: pending };
    expect(reviewed(live, "unlist", review)).toEqual({
      ...live,
      status: "UNLISTED",
      reviewNotes: "Fine.",
    });
  });
});

describe("the slugs of a listing", () => {
  const plain = { slug: "web", revision: null };
  const moving = { slug: "web", revision: pending };
  it.for([
    [plain, plain, [], []],
    [plain, moving, ["web-2"], []],
    [moving, { slug: "web-2", revision: null }, [], ["web"]],
    [moving, { slug: "web", revision: { ...pending, slug: "web" } }, [], ["web-2"]],
    [moving, { slug: "web", revision: { ...pending, slug: "web-3" } }, ["web-3"], ["web-2"]],
    [plain, { slug: "other", revision: null }, ["other"], ["web"]],
  ] as const)("are reserved and released as in case %#", ([before, after, taken, freed]) => {
    expect(slugChanges(before, after)).toEqual({ taken, freed });
  });
});
