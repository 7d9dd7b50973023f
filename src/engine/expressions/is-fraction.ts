import type { Node } from "./ast.ts";
import { findVariable, type Scope, type Variables } from "./scope.ts";

/**
 * Whether an expression is written as a number with fractions: `7 / 2.0` is 3.5 and `7 / 2` is 3, though JSON has one kind
 * of number.
 */
export function isFraction(node: Node, scope: Scope, variables: Variables): boolean {
  const either = (...nodes: Node[]) => nodes.some((one) => isFraction(one, scope, variables));
  switch (node.kind) {
    case "literal":
      return node.fraction;
    case "name": {
      const variable = findVariable(node.name, variables);
      return variable === undefined
        ? scope.isFraction?.(node.name) === true
        : variable.fraction === true;
    }
    case "minus":
      return either(node.of);
    case "binary":
      return either(node.left, node.right);
    case "choice":
      return either(node.met, node.otherwise);
    case "call":
      return node.function.name === "double";
    case "member":
    case "index":
    case "not":
    case "logic":
    case "list":
    case "map":
    case "loop":
    case "has":
    case "bind":
    case "optional-map":
      return false;
  }
}
