import type { Bound, Scope } from "#importers/evaluate/scope.ts";
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import { type DraftedByScope, draftedAt, type DraftedResource } from "./drafted-resource.ts";

/** The resource whose attribute an expression reads, also through names and conditions. */
export function objectNamedBy(
  expression: Expression,
  from: Scope,
  byScope: DraftedByScope,
): DraftedResource | undefined {
  const named = from.decided.follow({ expression, scope: from });
  if (named === "failed") return undefined;
  const reference = inOwnTurn(named);
  if (reference === undefined) return undefined;
  const { target, path } = reference;
  if (target.kind !== "resource") return undefined;
  const found = draftedAt(byScope, target.address, path, named.scope);
  return found === "failed" ? undefined : found.made;
}

/** The reference, also to the object of the same turn of a loop: `aws_s3_bucket.b[each.key].id`. */
function inOwnTurn({ expression, scope }: Bound): ReferenceExpression | undefined {
  if (expression.kind === "reference") {
    const { target, path } = expression;
    if (target.kind !== "each" || target.name !== "value" || path.length === 0) return expression;
    const { instance } = scope;
    const of = instance !== undefined && "loop" in instance ? instance.loop.of : undefined;
    if (of?.kind !== "reference" || of.target.kind !== "resource") return expression;
    return { ...expression, target: of.target, path: ["each.key", ...path] };
  }
  if (expression.kind !== "call" || expression.name !== "[]") return undefined;
  const [of, key, ...steps] = expression.args;
  const isOwn =
    key?.kind === "reference" &&
    key.path.length === 0 &&
    (key.target.kind === "count" || (key.target.kind === "each" && key.target.name === "key"));
  if (of?.kind !== "reference" || of.path.length > 0 || !isOwn) return undefined;
  const path = steps.flatMap((step) => (step.kind === "literal" ? String(step.value) : []));
  return path.length === steps.length ? { ...of, path: ["each.key", ...path] } : undefined;
}
