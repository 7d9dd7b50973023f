import type { ReferenceExpression, ReferenceTarget } from "#importers/expression.ts";
import { type ItemNames, lineOf, type Source } from "./source-text.ts";
import type { SyntaxTree } from "./syntax/syntax-tree.ts";
import { unquoted } from "./template-text.ts";

/** The maximum number of members and indexes of a reference. Real code has fewer. */
export const MAX_PATH = 50;

/** Names with a meaning in Terraform, which are not parts of a module. */
const notReferences = new Set(["each", "count", "path", "self", "terraform"]);

export interface Traversal {
  root: string;
  steps: readonly (string | number)[];
  /** Whether only steps follow: no splat, computed index or operator. */
  isWhole: boolean;
}

/** Reads a variable and the members and indexes after it, up to `end`. */
export function traversalAt(tree: SyntaxTree, node: number, end: number): Traversal {
  const root = tree.source(node);
  const steps: (string | number)[] = [];
  for (let at = tree.after(node); at < end; at = tree.after(at)) {
    const step = stepAt(tree, at);
    if (step === undefined || steps.length === MAX_PATH) return { root, steps, isWhole: false };
    steps.push(step);
  }
  return { root, steps, isWhole: true };
}

/** The step of a node after a value, if it is written out. */
export function stepAt(tree: SyntaxTree, node: number): string | number | undefined {
  const kind = tree.kind(node);
  if (kind === "member") return tree.source(node);
  if (kind === "legacy_index") return Number(tree.source(node));
  return kind === "index" ? indexAt(tree, node) : undefined;
}

/** An index, if it is written out. */
function indexAt(tree: SyntaxTree, node: number): string | number | undefined {
  const value = node + 2;
  if (tree.after(node) !== value + 1) return undefined;
  const source = tree.source(value);
  if (tree.kind(value) === "number") return /^\d{1,9}$/.test(source) ? Number(source) : undefined;
  return tree.kind(value) === "text" ? unquoted(source.slice(1, -1)) : undefined;
}

/** A reference to a value of one instance: `each.key`, `each.value` or `count.index`. */
export function instanceReference(
  { root, steps: [name, ...path] }: Traversal,
  line: number,
): ReferenceExpression | undefined {
  if (root === "each" && (name === "key" || name === "value"))
    return { kind: "reference", target: { kind: "each", name }, path, line };
  return root === "count" && name === "index"
    ? { kind: "reference", target: { kind: "count", name }, path, line }
    : undefined;
}

/** A reference to an item of a `for` or of a `dynamic` block. */
export function itemReference(
  { root, steps }: Traversal,
  line: number,
  items: ItemNames | undefined,
): ReferenceExpression | undefined {
  const kind = items?.get(root);
  if (kind === "item")
    return { kind: "reference", target: { kind, name: root }, path: steps, line };
  const [part, ...path] = steps;
  if (kind !== "iterator" || (part !== "key" && part !== "value")) return undefined;
  return { kind: "reference", target: { kind: "item", name: `${root}.${part}` }, path, line };
}

/** A reference to a part of the module; undefined for other names. */
export function referenceTo(
  { root, steps }: Traversal,
  line: number,
): ReferenceExpression | undefined {
  const found = targetOf(root, steps);
  if (found === undefined) return undefined;
  const { target, used } = found;
  return { kind: "reference", target, path: steps.slice(used), line };
}

function targetOf(
  root: string,
  [first, second]: readonly (string | number)[],
): { target: ReferenceTarget; used: number } | undefined {
  if (typeof first !== "string" || notReferences.has(root)) return undefined;
  switch (root) {
    case "var":
      return { target: { kind: "variable", name: first }, used: 1 };
    case "local":
      return { target: { kind: "local", name: first }, used: 1 };
    case "module":
      return { target: { kind: "module", name: first }, used: 1 };
    case "data":
    case "ephemeral":
      return typeof second === "string"
        ? { target: { kind: "resource", address: `${root}.${first}.${second}` }, used: 2 }
        : undefined;
    default:
      return { target: { kind: "resource", address: `${root}.${first}` }, used: 1 };
  }
}

/**
 * The references from a node to the end of another, each path once. Items of a `for` or of a `dynamic` block do not
 * count.
 */
export function referencesBelow(source: Source, node: number, last = node): ReferenceExpression[] {
  const { tree } = source;
  const end = tree.after(last);
  const local = new Set(source.items?.keys());
  for (let at = node; at < end; at++)
    if (tree.kind(at) === "for_intro")
      for (const child of tree.children(at))
        if (tree.kind(child) === "identifier") local.add(tree.source(child));
  const found = new Map<string, ReferenceExpression>();
  // The innermost expression around a variable ends before the next node outside it.
  const ends: number[] = [];
  for (let at = node; at < end; at++) {
    while (ends.length > 0 && (ends.at(-1) ?? 0) <= at) ends.pop();
    if (tree.kind(at) === "variable") {
      const traversal = traversalAt(tree, at, ends.at(-1) ?? end);
      const reference = local.has(traversal.root)
        ? undefined
        : referenceTo(traversal, lineOf(source, at));
      const key = JSON.stringify([traversal.root, ...traversal.steps]);
      if (reference !== undefined && !found.has(key)) found.set(key, reference);
    }
    if (tree.after(at) > at + 1) ends.push(tree.after(at));
  }
  return [...found.values()];
}
