/** `tracestate` (https://www.w3.org/TR/trace-context/#tracestate-header): what the caller's tracing systems add. */

const MAX_MEMBERS = 32;
/** The length that has to be carried on; what is longer is shortened. */
const MAX_LENGTH = 512;
/** Where it is too long, members above this length go first. */
const LONG_MEMBER = 128;

const key = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
/** Printable ASCII without comma and equals sign; a space is not the last one. */
const value = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * The members in their order, at most 512 characters: long ones, and then the last ones, are left out of more.
 * Undefined: it is missing, empty or malformed, and then all of it is dropped.
 */
export function parseTracestate(header: string | undefined): string | undefined {
  const members = (header ?? "")
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
  const keys = members.map((member) => member.slice(0, Math.max(0, member.indexOf("="))));
  const isValid = members.every((member, at) => {
    const name = keys[at] ?? "";
    return key.test(name) && value.test(member.slice(name.length + 1));
  });
  if (!isValid || members.length > MAX_MEMBERS || new Set(keys).size < keys.length)
    return undefined;
  const kept = fits(members) ? members : members.filter(({ length }) => length <= LONG_MEMBER);
  while (!fits(kept)) kept.pop();
  return kept.length === 0 ? undefined : kept.join(",");
}

function fits(members: readonly string[]): boolean {
  return members.join(",").length <= MAX_LENGTH;
}
