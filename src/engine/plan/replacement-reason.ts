import { factPath } from "#engine/path-set.ts";
import { anyKey, matchesSegment, parsePropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { ResourceChange } from "./steps.ts";

/** The reason of a planned replacement, as the end of a sentence. Names property paths, never values. */
export function replacementReason(
  { changes, reason }: Pick<ResourceChange, "changes" | "reason">,
  facts: Pick<TypeFacts, "immutable"> | undefined,
): string {
  if (reason?.startsWith("tainted") === true) return "its object was not created to the end";
  if (reason?.startsWith("its create") === true) return reason;
  const immutable = (facts?.immutable ?? []).map(factPath);
  const isImmutable = (path: string): boolean => {
    const changed = parsePropertyPath(path) ?? [path];
    // A change above, at or below an immutable property.
    return immutable.some((fixed) =>
      fixed.every((pattern, at) => {
        const segment = changed[at];
        return segment === undefined || segment === anyKey || matchesSegment(pattern, segment);
      }),
    );
  };
  const forcing = changes.filter(({ replaces }) => replaces).map(({ path }) => path);
  const fixed = forcing.filter(isImmutable);
  const chosen = forcing.filter((path) => !isImmutable(path));
  const parts = [
    ...(fixed.length === 0 ? [] : [`${fixed.join(", ")} cannot be changed in place`]),
    ...(chosen.length === 0
      ? []
      : [`${chosen.join(", ")} changed, which \`replaceOnChanges\` names`]),
  ];
  return parts.length === 0 ? (reason ?? "the plan says so") : parts.join("; ");
}
