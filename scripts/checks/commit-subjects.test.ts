import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";
import { boundCommits, problemOfSubject } from "./commit-subjects.ts";

// An archive of the source has no history.
it.runIf(existsSync(path.join(projectRoot, ".git")))(
  "every commit has a subject of the form",
  () => {
    const problems = boundCommits(projectRoot).flatMap(({ hash, subject }) => {
      const problem = problemOfSubject(subject);
      return problem === undefined ? [] : [`${hash.slice(0, 8)} "${subject}" ${problem}`];
    });
    expect(problems).toEqual([]);
  },
);

describe("a subject", () => {
  it.each([
    "Stop the soak from following unapproved runs",
    "Bring back the page",
    "Need no key",
    "Embed the page",
    "Focus the field",
    "Pass the key",
    `Add ${"x".repeat(68)}`,
  ])("may be: %s", (subject) => expect(problemOfSubject(subject)).toBeUndefined());

  it.each([
    [`Add ${"x".repeat(69)}`, "has 73 characters"],
    ["Add a page.", "ends with a period"],
    ["add a page", "capitalized word"],
    ["Fix: a page", "capitalized word"],
    ["", "capitalized word"],
    ["Adding a page", "a verb in the imperative"],
    ["Added a page", "a verb in the imperative"],
    ["Adds a page", "a verb in the imperative"],
    ["The page is there", "a verb in the imperative"],
  ])("may not be: %s", (subject, problem) => expect(problemOfSubject(subject)).toContain(problem));
});

describe("the commits that the rule binds", () => {
  let folder: string;
  let origin: string;
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@example.com", ...args], {
      cwd,
      encoding: "utf8",
      stdio: "pipe",
    });
  const commit = (subject: string): void => {
    git(origin, "commit", "--quiet", "--allow-empty", "--message", subject);
  };
  const clone = (name: string, ...options: string[]): string => {
    git(folder, "clone", "--quiet", ...options, `file://${origin}`, name);
    return path.join(folder, name);
  };
  const subjects = (root: string): string[] => boundCommits(root).map(({ subject }) => subject);

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), "commits-"));
    origin = path.join(folder, "origin");
    git(folder, "init", "--quiet", "--initial-branch=main", origin);
    commit("before the rule");
    git(origin, "branch", "aside");
    const checks = path.join(origin, "scripts/checks");
    mkdirSync(checks, { recursive: true });
    writeFileSync(path.join(checks, "commit-subjects.ts"), "");
    git(origin, "add", "--all");
    commit("Add the rule");
    git(origin, "checkout", "--quiet", "aside");
    commit("beside the rule");
    git(origin, "checkout", "--quiet", "main");
    git(origin, "merge", "--quiet", "--no-ff", "--message", "merge the branch", "aside");
    commit("after the rule");
    commit("at the end");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("are those with the rule in their tree", () => {
    expect(subjects(clone("whole"))).toEqual(["at the end", "after the rule", "Add the rule"]);
  });

  it("are the ones at hand in a shallow clone", () => {
    expect(subjects(clone("shallow", "--depth=2"))).toEqual(["at the end", "after the rule"]);
    expect(subjects(clone("last", "--depth=1"))).toEqual(["at the end"]);
  });

  it("follow the newest tag", () => {
    const tagged = clone("tagged");
    git(tagged, "tag", "v1", "HEAD~1");
    expect(subjects(tagged)).toEqual(["at the end"]);
    git(tagged, "tag", "v2");
    expect(subjects(tagged)).toEqual([]);
  });
});
