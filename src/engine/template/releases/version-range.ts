import validRange from "semver/ranges/valid.js";

const MAX_LENGTH = 100;

/** Whether a text is a range of releases, such as `^1.2` or `>=1.2 <3`. */
export function isVersionRange(text: string): boolean {
  return text.length <= MAX_LENGTH && validRange(text) !== null;
}
