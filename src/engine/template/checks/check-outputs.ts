import { PathSet } from "#engine/path-set.ts";
import { formatReference } from "#engine/template/references.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Reference, ResourceDeclaration } from "#engine/template/template.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";

const MAX_LISTED = 20;

/**
 * Reports a reference to an output that the object cannot have. Skips types whose outputs are not all listed: such a
 * cloud may return more. What the resource itself sets can be read, whether the table lists it or not. Returns whether
 * there was something to report.
 */
export function checkOutput(
  { root, path, place }: Reference,
  { type, properties }: ResourceDeclaration,
  facts: TypeFacts | undefined,
  report: Report,
  nearest: (name: string, candidates: readonly string[]) => string | undefined,
): boolean {
  const [member] = path;
  if (facts === undefined || member === undefined) return false;
  const { outputs, writeOnly } = facts;
  const unread = writeOnlyPart(path, PathSet.of(writeOnly));
  if (unread !== undefined) {
    report.error(
      "write_only",
      `${formatReference(root, unread)} cannot be read: ${quoted(formatPropertyPath(unread))} of ${type} is write-only.`,
      place,
      "Refer to the config value or variable that sets the property.",
    );
    return true;
  }
  if (outputs === undefined) return false;
  const names = [...new Set(["id", ...outputs, ...Object.keys(properties)])];
  if (names.includes(String(member))) return false;
  const listed = names.filter((name) => !writeOnly.includes(name)).slice(0, MAX_LISTED);
  report.error(
    "unknown_output",
    `${formatReference(root, [member])} does not exist: ${type} has no output ${quoted(String(member))}.`,
    place,
    didYouMean(nearest(String(member), names)) ?? `Its outputs are ${listed.join(", ")}.`,
  );
  return true;
}

/** The first part of the path that is write-only; undefined: none is. */
function writeOnlyPart(path: Reference["path"], writeOnly: PathSet): Reference["path"] | undefined {
  let left = writeOnly;
  for (const [depth, segment] of path.entries()) {
    left = left.at(segment);
    if (left.here) return path.slice(0, depth + 1);
  }
  return undefined;
}
