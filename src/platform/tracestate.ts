/** `tracestate` (https://www.w3.org/TR/trace-context/#tracestate-header): additions of the caller's tracing systems. */

const MAX_MEMBERS = 32;
/** The length that must be passed on. A longer header is shortened. */
const MAX_LENGTH = 512;
/** Members above this length are dropped first. */
const LONG_MEMBER = 128;

const key = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
/** Printable ASCII without comma and equals sign, not ending with a space. */
const value = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/**
 * The members in their order, at most 512 characters. From a longer header, long members are dropped first, then the
 * last ones. Undefined: the header is missing, empty or malformed, and dropped as a whole.
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
