import { type Expression, withoutLines } from "#importers/expression.ts";
import { memberOf, membersOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import type { ArmType } from "./known-values.ts";
import { isLoopIndex } from "./open-loops.ts";

/** The declared names of a template by lower case, because ARM ignores case. */
export interface ArmNames {
  parameters: ReadonlyMap<string, Declared>;
  variables: ReadonlyMap<string, Declared>;
  /** User-defined functions by namespace and name: `contoso.uniquename`. */
  functions: ReadonlyMap<string, DataNode>;
}

export interface Declared {
  /** As the template spells it. */
  name: string;
  node: DataNode;
  /** Whether the name is an item of the `copy` of variables. */
  isCopy?: boolean;
}

export function armNamesOf(root: DataNode): ArmNames {
  const known = namesOf.get(root) ?? readNames(root);
  namesOf.set(root, known);
  return known;
}

/** A nested template is often opened several times. */
const namesOf = new WeakMap<DataNode, ArmNames>();

function readNames(root: DataNode): ArmNames {
  const parameters = new Map<string, Declared>();
  const variables = new Map<string, Declared>();
  for (const [name, node] of membersOf(sectionOf(root, "parameters")))
    parameters.set(name.toLowerCase(), { name, node: resolvedType(node, root) });
  const section = sectionOf(root, "variables");
  const copies = copiesIn(memberOf(section, "copy"));
  for (const [name, node] of membersOf(section))
    if (name !== "copy" || copies.length === 0) variables.set(name.toLowerCase(), { name, node });
  for (const { name, item } of copies)
    variables.set(name.toLowerCase(), { name, node: item, isCopy: true });
  return { parameters, variables, functions: functionsIn(sectionOf(root, "functions")) };
}

/** A section of a template. ARM ignores the case of its name. */
export function sectionOf(root: DataNode | undefined, name: string): DataNode | undefined {
  const own = memberOf(root, name);
  if (own !== undefined || root?.kind !== "map") return own;
  const known = sectionsOf.get(root) ?? byLowerCase(root.members);
  sectionsOf.set(root, known);
  return known.get(name.toLowerCase());
}

/** The members of maps by lower case. */
const sectionsOf = new WeakMap<DataNode, ReadonlyMap<string, DataNode>>();

function byLowerCase(members: ReadonlyMap<string, DataNode>): ReadonlyMap<string, DataNode> {
  const found = new Map<string, DataNode>();
  for (const [name, node] of members) {
    const lower = name.toLowerCase();
    if (!found.has(lower)) found.set(lower, node);
  }
  return found;
}

const MAX_TYPES = 20;

/** A parameter with the members of the type that its `$ref` names. Its own members win. */
function resolvedType(node: DataNode, root: DataNode): DataNode {
  let at = node;
  const members = new Map<string, DataNode>(membersOf(node));
  for (let followed = 0; followed < MAX_TYPES; followed += 1) {
    const name = /^#\/definitions\/(.+)$/.exec(textIn(memberOf(at, "$ref")) ?? "")?.[1];
    const definition = memberOf(sectionOf(root, "definitions"), name?.replaceAll("~1", "/") ?? "");
    if (definition?.kind !== "map") break;
    for (const [key, value] of definition.members) if (!members.has(key)) members.set(key, value);
    at = definition;
  }
  return node.kind === "map" ? { ...node, members } : node;
}

function functionsIn(section: DataNode | undefined): Map<string, DataNode> {
  const found = new Map<string, DataNode>();
  for (const space of section?.kind === "list" ? section.items : []) {
    const namespace = textIn(memberOf(space, "namespace"));
    for (const [name, node] of membersOf(memberOf(space, "members")))
      if (namespace !== undefined) found.set(`${namespace}.${name}`.toLowerCase(), node);
  }
  return found;
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

const types: ReadonlyMap<string, ArmType> = new Map([
  ["string", "string"],
  ["securestring", "string"],
  ["int", "int"],
  ["bool", "bool"],
  ["array", "array"],
  ["object", "object"],
  ["secureobject", "object"],
]);

/** The type of a parameter or of an output. */
export function armTypeOf(node: DataNode | undefined): ArmType | undefined {
  return types.get(textIn(memberOf(node, "type"))?.toLowerCase() ?? "");
}

/** Whether a parameter or an output is a secret by its type. */
export function isSecureType(declaration: DataNode | undefined): boolean {
  return /^secure/i.test(textIn(memberOf(declaration, "type")) ?? "");
}

/** Whether a parameter without a value is null. */
export function isNullable(node: DataNode): boolean {
  const nullable = memberOf(node, "nullable");
  return nullable?.kind === "scalar" && nullable.value === true;
}

/** The maximum size of an indexed name: each child repeats the name of its parent. */
const MAX_NAME_SIZE = 100;

/**
 * A key that is equal for expressions of the same form, whatever their lines and the case of their texts. Undefined for
 * too long an expression.
 */
export function keyOf(name: Expression): string | undefined {
  if (keys.has(name)) return keys.get(name);
  const key = computedKey(name);
  keys.set(name, key);
  return key;
}

const keys = new WeakMap<Expression, string | undefined>();

function computedKey(name: Expression): string | undefined {
  if (sizeOf(name, MAX_NAME_SIZE) > MAX_NAME_SIZE) return undefined;
  // Most names are literals. This is the same key in less time.
  if (name.kind === "literal")
    return `{"kind":"literal","value":${JSON.stringify(name.value)}}`.toLowerCase();
  const [only = name, second] = name.kind === "text" ? name.parts : [name];
  return withoutLines(second === undefined ? only : name).toLowerCase();
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
      if (name.target.kind === "resource") return name.target.address;
      return isLoopIndex(name.target.name) ? "index" : name.target.name;
    case "text":
      return inner(name.parts)
        .map((part, at) => (name.parts[at]?.kind === "literal" ? part : `{${part}}`))
        .join("")
        .slice(0, MAX_READABLE);
    case "call":
      return name.name === "pseudo" ? inner(name.args.slice(0, 1)).join("") : calledName(name);
    case "list":
    case "object":
    case "for":
    case "opaque":
      return "…";
  }
}

function calledName({ name, args }: Extract<Expression, { kind: "call" }>): string {
  const [only] = args;
  const isPlain =
    /^(?:lower|upper|trimspace|sensitive|tostring|arm:(?:substring|take|takeLast|skip|replace|padLeft))$/.test(
      name,
    );
  return isPlain && only !== undefined ? readableName(only, 1) : name.replace(/^(?:arm:|ARM )/, "");
}

const MAX_READABLE = 100;
