/**
 * `templatefile(path, vars)` as the expression that the file means: each name of the template is replaced by the value
 * that the call gives it. So a template may have values that only the deployment knows.
 */
import {
  type Expression,
  literal,
  partsOf,
  type ReferenceExpression,
  textOf,
  withParts,
} from "#importers/expression.ts";
import { readWholeTemplate } from "#importers/hcl/read-expression.ts";
import { MAX_PATH } from "#importers/hcl/references.ts";
import { withItems } from "#importers/hcl/source-text.ts";
import { parseTemplate } from "#importers/hcl/syntax/parse-hcl.ts";
import type { SyntaxTree } from "#importers/hcl/syntax/syntax-tree.ts";
import { isTextPart, sizeOf } from "#importers/text/joined-text.ts";

/** The maximum size of a filled template, in values and pieces of 32 characters. */
const MAX_SIZE = 10_000;

export type FilledTemplate =
  /** `size`: in values and pieces of 32 characters. */
  | { kind: "filled"; value: Expression; size: number }
  /** Terraform refuses a name without a value. */
  | { kind: "no value"; name: string }
  | { kind: "too large" }
  | { kind: "unreadable" };

/** `line`: of the call. */
export function filledTemplate(text: string, vars: Expression, line: number): FilledTemplate {
  const tree = parseTemplate(text);
  if (tree === undefined) return { kind: "unreadable" };
  const read = readWholeTemplate(withItems({ tree, lineAt: () => line }, namesIn(tree), "item"));
  if (hasOpaque(read)) return { kind: "unreadable" };
  const filling = new Filling(vars, line);
  const filled = filling.fill(read, new Map());
  if (filling.missing !== undefined) return { kind: "no value", name: filling.missing };
  // Before texts are joined: one value may be in a template very often.
  const size = sizeOf(filled, MAX_SIZE);
  if (size > MAX_SIZE) return { kind: "too large" };
  return { kind: "filled", value: joinedTexts(filled), size };
}

function namesIn(tree: SyntaxTree): string[] {
  const names = new Set<string>();
  for (let node = 0; node < tree.size; node += 1)
    if (tree.kind(node) === "variable") names.add(tree.source(node));
  return [...names];
}

function hasOpaque(of: Expression): boolean {
  return of.kind === "opaque" || partsOf(of).some(hasOpaque);
}

class Filling {
  readonly #vars: Expression;
  /** Undefined: the values are no written-out map. */
  readonly #given: ReadonlyMap<string, Expression> | undefined;
  readonly #line: number;
  #missing: string | undefined;

  constructor(vars: Expression, line: number) {
    this.#vars = vars;
    this.#given =
      vars.kind === "object"
        ? new Map(vars.members.map(({ name, value }) => [name, value]))
        : undefined;
    this.#line = line;
  }

  /** The first name without a value. */
  get missing(): string | undefined {
    return this.#missing;
  }

  /** `own`: the names of the template's loops around the expression, and what they are called here. */
  fill(of: Expression, own: ReadonlyMap<string, string>): Expression {
    if (of.kind === "reference") return this.#value(of, own);
    if (of.kind !== "for") return withParts(of, (part) => this.fill(part, own));
    const names = of.names.map((name) => this.#renamed(name));
    const inside = new Map([
      ...own,
      ...of.names.map((name, at) => [name, names[at] ?? ""] as const),
    ]);
    const within = (part: Expression | undefined) => part && this.fill(part, inside);
    return {
      ...of,
      names,
      of: this.fill(of.of, own),
      key: within(of.key),
      value: this.fill(of.value, inside),
      condition: within(of.condition),
    };
  }

  #renamed(name: string): string {
    // Of a loop around the call, which a loop of the template must not hide.
    const outer = itemsIn(this.#vars);
    let free = name;
    while (outer.has(free)) free += "_";
    return free;
  }

  #value(of: ReferenceExpression, own: ReadonlyMap<string, string>): Expression {
    const { target, path } = of;
    if (target.kind !== "item") return of;
    const renamed = own.get(target.name);
    if (renamed !== undefined) return { ...of, target: { kind: "item", name: renamed } };
    if (this.#given === undefined) return this.#below(this.#vars, [target.name, ...path]);
    const given = this.#given.get(target.name);
    if (given === undefined) this.#missing ??= target.name;
    return given === undefined ? of : this.#below(given, path);
  }

  #below(of: Expression, path: readonly (string | number)[]): Expression {
    if (path.length === 0) return of;
    if (of.kind === "reference" && of.path.length + path.length <= MAX_PATH)
      return { ...of, path: [...of.path, ...path] };
    const args = [of, ...path.map((step) => literal(step))];
    return { kind: "call", name: "[]", args, line: this.#line };
  }
}

/** Many templates may have the same values. */
const items = new WeakMap<Expression, ReadonlySet<string>>();

function itemsIn(of: Expression): ReadonlySet<string> {
  const known = items.get(of);
  if (known !== undefined) return known;
  const found = new Set<string>();
  items.set(of, found);
  const waiting = [of];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "reference" && at.target.kind === "item") found.add(at.target.name);
    for (const part of partsOf(at)) waiting.push(part);
  }
  return found;
}

/** Joins the parts of texts, so that the words around a value stand beside it. */
function joinedTexts(of: Expression): Expression {
  const made = withParts(of, joinedTexts);
  if (made.kind !== "text" || !made.parts.every(isTextPart)) return made;
  return textOf(made.parts.flatMap((part) => (part.kind === "text" ? part.parts : [part])));
}
