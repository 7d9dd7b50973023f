import valid from "semver/functions/valid.js";
import maxSatisfying from "semver/ranges/max-satisfying.js";
import validRange from "semver/ranges/valid.js";

const MAX_LENGTH = 100;

/** Whether a text is a range of releases, such as `^1.2` or `>=1.2 <3`. */
export function isVersionRange(text: string): boolean {
  return text.length <= MAX_LENGTH && validRange(text) !== null;
}

/** The highest release in a range; undefined: none is. A prerelease counts only if the range names one. */
export function highestInRange(releases: readonly string[], range: string): string | undefined {
  return maxSatisfying([...releases], range) ?? undefined;
}

/** Whether a text is a release in full, such as `1.4.0` or `2.0.0-rc.1`, without a leading `v`. */
export function isRelease(text: string): boolean {
  return text.length <= MAX_LENGTH && valid(text) === text;
}
