import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import type { DraftedResource } from "./drafted-resource.ts";
import type { Scope } from "./scopes.ts";

const MAX_FOLLOWED = 50;

/** The resource of which an expression reads an attribute, also through locals, variables and outputs of modules. */
export function objectNamedBy(
  expression: Expression,
  from: Scope,
  byScope: ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>,
): DraftedResource | undefined {
  let at: { value: Expression | undefined; scope: Scope } | undefined = {
    value: expression,
    scope: from,
  };
  for (let step = 0; step < MAX_FOLLOWED && at?.value?.kind === "reference"; step += 1) {
    const { target, path }: ReferenceExpression = at.value;
    if (target.kind === "resource") return byScope.get(at.scope)?.get(target.address);
    at = followed(target, path, at.scope);
  }
  return undefined;
}

function followed(
  target: Exclude<ReferenceExpression["target"], { kind: "resource" }>,
  path: ReferenceExpression["path"],
  scope: Scope,
): { value: Expression | undefined; scope: Scope } | undefined {
  switch (target.kind) {
    case "local":
      return { value: scope.locals.get(target.name)?.value, scope };
    case "variable": {
      const { caller } = scope;
      return caller && { value: caller.settings.get(target.name), scope: caller.scope };
    }
    case "module": {
      const called = scope.calls.get(target.name)?.scope;
      return called == null
        ? undefined
        : { value: called.outputs.get(String(path[0]))?.value, scope: called };
    }
    case "each":
    case "count":
      return undefined;
  }
}
