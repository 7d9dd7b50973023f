import { parsePropertyPath } from "#platform/property-path.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { ResourceChange } from "./steps.ts";

/** Why a planned replacement is needed, as the end of a sentence. Names property paths, never values. */
export function replacementReason(
  { changes, reason }: Pick<ResourceChange, "changes" | "reason">,
  facts: Pick<TypeFacts, "immutable"> | undefined,
): string {
  if (reason?.startsWith("tainted") === true) return "its object was not created to the end";
  const immutable = new Set(facts?.immutable);
  const isImmutable = (path: string): boolean =>
    immutable.has("*") || immutable.has(String(parsePropertyPath(path)?.[0] ?? path));
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
