import type { Mutant } from "./mutant.ts";

const PROVIDER = "test/attacks/gcp-provider.test.ts";

/** What Google Cloud shows of others. */
export const gcpAnswersMutants: readonly Mutant[] = [
  {
    id: "found-right-is-ours",
    what: "After a crash, a right that a person gave at Google Cloud is this service's",
    file: "src/providers/gcp/iam-members.ts",
    from: 'if (found.kind !== "done") return found;',
    to: 'if (found.kind !== "failed") return found;',
    test: PROVIDER,
    noticedBy: "a right that a person gave long ago is not adopted",
  },
  {
    id: "right-given-before-the-journal",
    what: "A right is given before the journal has that it was missing",
    file: "src/providers/gcp/iam-members.ts",
    from: 'return { kind: "pending", handle: { sinceMs: context.now() }, afterMs: 1 };',
    to: "return this.give(context, call);",
    test: "test/attacks/gcp-objects.test.ts",
    noticedBy: "whose answer was lost is found by its next poll",
  },
  {
    id: "members-in-any-case",
    what: "A right of another whose name differs in letter case alone is taken away",
    file: "src/providers/gcp/iam-members.ts",
    from: 'return typeof shown === "string" && spelled(shown) === member;',
    to: 'return typeof shown === "string" && shown.toLowerCase() === member.toLowerCase();',
    test: PROVIDER,
    noticedBy: "a subject that differs in case alone is another's",
  },
  {
    id: "proxy-says-gone",
    what: "The 404 of a proxy counts as Google's word that an object is gone",
    file: "src/providers/gcp/meaning.ts",
    from: "status === 404 && looks.has(of.verb)",
    to: "status === 405 && looks.has(of.verb)",
    test: PROVIDER,
    noticedBy: "of a page that is not Google's API",
  },
  {
    id: "twin-since-the-create-is-ours",
    what: "After a lost create, a stranger's object of that name with other values is adopted",
    file: "src/providers/gcp/placed-provider.ts",
    from: "if (other.length === 0) return found;",
    to: "if (other.length >= 0) return found;",
    test: PROVIDER,
    noticedBy: "a stranger's firewall of that name",
  },
  {
    id: "global-name-is-ours",
    what: "A stranger's bucket at the name that the engine chose is adopted without our label",
    file: "src/providers/gcp/placed-provider.ts",
    from: 'id !== undefined && find?.by !== "label"',
    to: "id !== undefined",
    test: PROVIDER,
    noticedBy: "a bucket of a stranger at the engine's name",
  },
  {
    id: "bucket-of-another-project",
    what: "A bucket of another project is deleted by its name",
    file: "src/providers/gcp/bucket-project.ts",
    from: "if (isThere) return undefined;",
    to: "if (isThere || items === undefined) return undefined;",
    test: PROVIDER,
    noticedBy: "a bucket in another project is not read, changed or deleted",
  },
  {
    id: "names-of-others-are-the-same",
    what: "A reference that was moved to another project is no drift",
    file: "src/providers/gcp/as-sent.ts",
    from: "told?.startsWith(`projects/${own.project}/`) !== true",
    to: "told === undefined",
    test: PROVIDER,
    noticedBy: "a network of another project with the short name",
  },
];
