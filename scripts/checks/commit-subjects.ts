/** The rule for subjects of commits, and the commits that it binds. */
import { execFileSync } from "node:child_process";

const MAX_CHARACTERS = 72;
const THIS_FILE = "scripts/checks/commit-subjects.ts";
/** First words that begin a sentence without a verb. */
const noVerb =
  /^(A|All|An|And|But|For|From|If|In|It|Its|More|Never|New|No|Not|Now|On|Only|Some|That|The|These|This|Those|When|With)$/;
/** Adding, added, adds; but not bring, need, embed, pass, focus. */
const otherForm = /[aeiouy].*(ing|(?<!e|Emb)ed)$|[^su]s$/i;

/** The reason why the subject breaks the rule; undefined: it keeps it. */
export function problemOfSubject(subject: string): string | undefined {
  const [first = ""] = subject.split(" ");
  const { length } = subject;
  if (length > MAX_CHARACTERS) return `has ${length} characters, at most ${MAX_CHARACTERS} fit`;
  if (subject.endsWith(".")) return "ends with a period";
  if (!/^[A-Z][a-z]+$/.test(first)) return "does not begin with a capitalized word";
  if (noVerb.test(first) || otherForm.test(first))
    return `does not begin with a verb in the imperative, as "Add" is`;
  return undefined;
}

export interface Commit {
  hash: string;
  subject: string;
}

/**
 * The commits of the current branch since its newest tag whose tree has this file: older commits, and branches that
 * began without it, could not know the rule. Merges are exempt, because Git writes their subjects. A shallow clone has
 * only its newest commits.
 */
export function boundCommits(root: string): Commit[] {
  const git = (args: readonly string[], input = ""): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", input, maxBuffer: 2 ** 28 }).trim();
  const log = git(["log", "--no-merges", "--format=%H %s", "HEAD", "--not", "--tags"]);
  const commits = (log === "" ? [] : log.split("\n")).map((line) => {
    const [hash = "", ...words] = line.split(" ");
    return { hash, subject: words.join(" ") };
  });
  const asked = commits.map(({ hash }) => `${hash}:${THIS_FILE}\n`).join("");
  const answers = git(["cat-file", "--batch-check=%(objecttype)"], asked).split("\n");
  return commits.filter((_, at) => answers[at] === "blob");
}
