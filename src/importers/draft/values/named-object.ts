import type { Scope } from "#importers/draft/scopes/scope.ts";
import type { Expression } from "#importers/expression.ts";
import { type DraftedByScope, draftedAt, type DraftedResource } from "./drafted-resource.ts";

/** The resource whose attribute an expression reads, also through names and conditions. */
export function objectNamedBy(
  expression: Expression,
  from: Scope,
  byScope: DraftedByScope,
): DraftedResource | undefined {
  const named = from.decided.follow({ expression, scope: from });
  if (named === "failed" || named.expression.kind !== "reference") return undefined;
  const { target, path } = named.expression;
  if (target.kind !== "resource") return undefined;
  const found = draftedAt(byScope, target.address, path, named.scope);
  return found === "failed" ? undefined : found.made;
}
