import { factPath } from "#engine/path-set.ts";
import { formatReference } from "#engine/template/references.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Reference, ResourceDeclaration } from "#engine/template/template.ts";
import { matchesSegment, type PathSegment } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";

/** Shorter names resemble each other by coincidence: `ip` is no misspelt `id`. */
const MIN_LENGTH = 3;
const MAX_LISTED = 20;

/**
 * Reports a reference to an unknown output that resembles a known one, of a type whose outputs are not all listed: its
 * cloud may return more. If the vendor describes the outputs, this is an error, and an output that resembles none is a
 * warning. Returns whether it reported an error.
 */
export function reportMisspelling(
  { root, path, place }: Reference,
  { type, properties }: ResourceDeclaration,
  facts: TypeFacts,
  report: Report,
  nearest: (name: string, candidates: readonly string[]) => string | undefined,
): boolean {
  let known = knownPaths(facts, properties);
  for (const [index, member] of path.entries()) {
    const further = known.filter(([first]) => first !== undefined && matchesSegment(first, member));
    if (further.length === 0) {
      const isDescribed = index === 0 && facts.describedOutputs !== undefined;
      if (typeof member !== "string" || (member.length < MIN_LENGTH && !isDescribed)) return false;
      const names = known.flatMap(([first]) => (typeof first === "string" ? [first] : []));
      const near = member.length < MIN_LENGTH ? undefined : nearest(member, names);
      if (near === undefined && !isDescribed) return false;
      const isError = isDescribed && near !== undefined;
      report[isError ? "error" : "warning"](
        "unknown_output",
        `${formatReference(root, path.slice(0, index + 1))} ${isError ? "does" : "may"} not exist: no output ${quoted(member)} of ${type} is known.`,
        place,
        didYouMean(near) ??
          `Its outputs are ${[...new Set(names)].slice(0, MAX_LISTED).join(", ")}.`,
      );
      return isError;
    }
    known = further.map((one) => one.slice(1));
  }
  return false;
}

/** The paths of the outputs that the facts mention. */
function knownPaths(facts: TypeFacts, set: ResourceDeclaration["properties"]): PathSegment[][] {
  const {
    secretOutputs = [],
    shownAt = {},
    readOnly = [],
    writeOnly,
    describedOutputs = [],
  } = facts;
  const names = [...Object.keys(facts.properties ?? {}), ...Object.keys(set)];
  return [
    ["id"],
    ...describedOutputs.map((name) => [name]),
    ...names.filter((name) => !writeOnly.includes(name)).map((name) => [name]),
    ...[...secretOutputs, ...Object.values(shownAt), ...readOnly].map(factPath),
  ];
}
