import { PathSet } from "#engine/path-set.ts";
import { own } from "#engine/template/own.ts";
import { formatReference } from "#engine/template/references.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Reference, ResourceDeclaration } from "#engine/template/template.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";
import { reportMisspelling } from "./misspelt-output.ts";

const MAX_LISTED = 20;

/**
 * Reports a reference to an output that the object cannot have. If the outputs are not all listed, reports one that
 * looks misspelt, since such a cloud may return more. Properties that the resource itself sets can be read even if the
 * table lacks them. Returns whether it reported an error.
 */
export function checkOutput(
  reference: Reference,
  resource: ResourceDeclaration,
  facts: TypeFacts | undefined,
  report: Report,
  nearest: (name: string, candidates: readonly string[]) => string | undefined,
): boolean {
  const { root, path, place } = reference;
  const { type, properties } = resource;
  const [member] = path;
  if (facts === undefined || member === undefined) return false;
  const { outputs, writeOnly, shape } = facts;
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
  if (outputs === undefined) return reportMisspelling(reference, resource, facts, report, nearest);
  const names = [...new Set(["id", ...outputs, ...Object.keys(properties)])];
  if (names.includes(String(member)))
    return shape !== undefined && reportNested({ root, path, place }, type, shape, report, nearest);
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

/** Reports a path that leaves the described outputs of the type, if it resembles one of them. */
function reportNested(
  { root, path, place }: Reference,
  type: string,
  shape: ObjectShape,
  report: Report,
  nearest: (name: string, candidates: readonly string[]) => string | undefined,
): boolean {
  let at: ValueShape = { object: shape };
  for (const [index, member] of path.entries()) {
    const within = memberOf(at, member);
    if (within !== undefined) {
      at = within;
      continue;
    }
    // The cloud may return more than described, so only an apparent misspelling is a mistake.
    if (typeof member !== "string" || at.object === undefined || at.object.open === true)
      return false;
    const near = nearest(member, Object.keys(at.object.properties));
    if (near === undefined || index === 0) return false;
    const parent = formatReference(root, path.slice(0, index));
    report.error(
      "unknown_output",
      `${formatReference(root, path.slice(0, index + 1))} does not exist: ${parent} of ${type} has no member ${quoted(member)}.`,
      place,
      didYouMean(near),
    );
    return true;
  }
  return false;
}

function memberOf({ object, items }: ValueShape, member: string | number): ValueShape | undefined {
  return typeof member === "string" && object !== undefined
    ? own(object.properties, member)
    : items;
}
