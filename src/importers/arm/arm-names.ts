import type { Expression } from "#importers/expression.ts";
import { memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { sizeOf } from "#importers/text/joined-text.ts";

/** The names of a template by lower case, because ARM ignores case, with their spelling. */
export interface ArmNames {
  parameters: ReadonlyMap<string, string>;
  variables: ReadonlyMap<string, string>;
  /** Parameters and variables that are lists. `concat` of these returns a list. */
  lists: ReadonlySet<string>;
}

export function armNamesOf(root: DataNode): ArmNames {
  const parameters = new Map<string, string>();
  const variables = new Map<string, string>();
  const lists = new Set<string>();
  for (const [name, node] of membersOf(memberOf(root, "parameters"))) {
    parameters.set(name.toLowerCase(), name);
    if (textIn(memberOf(node, "type"))?.toLowerCase() === "array")
      lists.add(`parameters ${name.toLowerCase()}`);
  }
  for (const [name, node] of membersOf(memberOf(root, "variables"))) {
    if (name === "copy") continue;
    variables.set(name.toLowerCase(), name);
    if (node.kind === "list") lists.add(`variables ${name.toLowerCase()}`);
  }
  for (const { name } of copiesIn(memberOf(memberOf(root, "variables"), "copy"))) {
    variables.set(name.toLowerCase(), name);
    lists.add(`variables ${name.toLowerCase()}`);
  }
  return { parameters, variables, lists };
}

/** The lists that a `copy` in an object declares, by name. */
export function copiesIn(copy: DataNode | undefined): { name: string; item: DataNode }[] {
  const copies: { name: string; item: DataNode }[] = [];
  for (const item of copy?.kind === "list" ? copy.items : []) {
    const name = textIn(memberOf(item, "name"));
    if (name !== undefined && memberOf(item, "count") !== undefined) copies.push({ name, item });
  }
  return copies;
}

export function membersOf(node: DataNode | undefined): ReadonlyMap<string, DataNode> {
  return node?.kind === "map" ? node.members : nothing;
}

const nothing: ReadonlyMap<string, DataNode> = new Map();

/** The maximum size of an indexed name: each child repeats the name of its parent. */
const MAX_NAME_SIZE = 100;

/**
 * A key that is equal for expressions of the same form, whatever their lines and the case of their texts. Undefined for
 * too long an expression.
 */
export function keyOf(name: Expression): string | undefined {
  if (sizeOf(name, MAX_NAME_SIZE) > MAX_NAME_SIZE) return undefined;
  const [only = name, second] = name.kind === "text" ? name.parts : [name];
  return JSON.stringify(second === undefined ? only : name, (key, value: unknown) =>
    key === "line" ? undefined : value,
  ).toLowerCase();
}

/** The name of an expression for people: its literals, and the names of its references. */
export function readableName(name: Expression, depth = 0): string {
  if (depth > 4) return "…";
  const inner = (parts: readonly Expression[]) =>
    parts.slice(0, 8).map((part) => readableName(part, depth + 1));
  switch (name.kind) {
    case "literal":
      return String(name.value).slice(0, MAX_READABLE);
    case "reference":
      return name.target.kind === "resource" ? name.target.address : name.target.name;
    case "text":
      return inner(name.parts)
        .map((part, at) => (name.parts[at]?.kind === "literal" ? part : `{${part}}`))
        .join("")
        .slice(0, MAX_READABLE);
    case "call":
      return name.name;
    case "list":
    case "object":
    case "for":
    case "opaque":
      return "…";
  }
}

const MAX_READABLE = 100;
