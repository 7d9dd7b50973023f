/**
 * Releases as texts whose byte order is the order of semantic versioning, so that the database finds the highest
 * release in a range.
 */
import Range from "semver/classes/range.js";
import SemVer from "semver/classes/semver.js";
import type { ReleaseSpan } from "#schema/templates.ts";

/** The last character of the text of a release that is no prerelease. It sorts after the text of any prerelease. */
const FINAL = "~";
/** Sorts before the characters of these texts: `text + AFTER` is the least text after `text`. */
const AFTER = " ";
const SEPARATOR = "!";

export function releaseOrder(release: string): string {
  const version = new SemVer(release);
  const { prerelease } = version;
  if (prerelease.length === 0) return `${coreOf(version)}${FINAL}`;
  return `${coreOf(version)}-${prerelease.map(identifier).join(SEPARATOR)}`;
}

/** The spans of the releases in a range. A prerelease counts only if the range names one of the same version. */
export function spansOf(range: string): ReleaseSpan[] {
  return new Range(range).set.flatMap((comparators) => {
    const named = comparators.filter(({ value }) => value !== "");
    let [from, to] = ["", FINAL];
    for (const { operator, semver: bound } of named) {
      const text = releaseOrder(bound.version);
      if (operator.startsWith("<")) to = least(to, operator === "<" ? text : text + AFTER);
      else from = greatest(from, operator === ">" ? text + AFTER : text);
      // The operator of `1.2.3` alone is empty.
      if (!/[<>]/.test(operator)) to = least(to, text + AFTER);
    }
    const cores = named.flatMap(({ semver: bound }) =>
      bound.prerelease.length > 0 ? [coreOf(bound)] : [],
    );
    const spans: ReleaseSpan[] = [
      [from, to, 0],
      ...[...new Set(cores)].map((core): ReleaseSpan => [
        greatest(from, core),
        least(to, `${core}${FINAL}`),
        1,
      ]),
    ];
    return spans.filter(([first, last]) => first < last);
  });
}

function coreOf({ major, minor, patch }: SemVer): string {
  return [major, minor, patch].map((number) => numeric(String(number))).join("");
}

/** Numbers come before texts. */
function identifier(part: string | number): string {
  const text = String(part);
  return /^[0-9]+$/.test(text) ? `0${numeric(text)}` : `1${text}`;
}

/** A longer number is greater: no number of a release begins with a zero. */
function numeric(digits: string): string {
  return `${String(digits.length).padStart(3, "0")}${digits}`;
}

function least(a: string, b: string): string {
  return a < b ? a : b;
}

function greatest(a: string, b: string): string {
  return a > b ? a : b;
}
