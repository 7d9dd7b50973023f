/**
 * Values of infrastructure code, in one form for every format. Nothing is evaluated: a computed value is kept with its
 * references. A draft can then translate it, or name the part that our language cannot express.
 */

/** The object of a reference. Addresses are those of {@link SourceResource.address} in the same module. */
export type ReferenceTarget =
  | { kind: "resource"; address: string }
  | { kind: "variable"; name: string }
  | { kind: "local"; name: string }
  | { kind: "module"; name: string }
  /** The values of one instance of a repeated resource or module: `each.key`, `each.value`, `count.index`. */
  | { kind: "each"; name: "key" | "value" }
  | { kind: "count"; name: "index" }
  /** An item of a surrounding `for`, by its name in {@link ForExpression.names}. */
  | { kind: "item"; name: string };

export type Expression =
  | { kind: "literal"; value: string | number | boolean | null }
  | { kind: "list"; items: readonly Expression[] }
  /** Members in the order of the source. Names are unique. */
  | { kind: "object"; members: readonly Member[] }
  /** A text of several parts, at least one of which is not a literal. */
  | { kind: "text"; parts: readonly Expression[] }
  /** `path`: the members and indexes below the target, outermost first. `line`: the line of the reference. */
  | {
      kind: "reference";
      target: ReferenceTarget;
      path: readonly (string | number)[];
      line: number;
    }
  /**
   * A function of the source's language by its own name. HCL operators are calls too:
   * - `?:` and `==` by their signs,
   * - `[]` for a computed part, of a value and its steps,
   * - `[*]` for a part of each item,
   * - `...` for a last argument that is expanded,
   * - `{}` for nested blocks, some of which a `for` makes.
   */
  | { kind: "call"; name: string; args: readonly Expression[]; line: number }
  /** A value for each item of a list or a map. The result is a list, or a map if there is a `key`. */
  | {
      kind: "for";
      /** The name of the index or key, if any, and then the name of the value. */
      names: readonly string[];
      of: Expression;
      key?: Expression | undefined;
      value: Expression;
      condition?: Expression | undefined;
      /** Values of the same key form a list. */
      isGrouped: boolean;
      line: number;
    }
  /** Source without another form here: its text, at most {@link MAX_EXPRESSION_TEXT} characters, and its references. */
  | {
      kind: "opaque";
      text: string;
      references: readonly ReferenceExpression[];
      line: number;
    };

export interface Member {
  name: string;
  value: Expression;
  line: number;
}

export type ForExpression = Extract<Expression, { kind: "for" }>;
export type ObjectExpression = Extract<Expression, { kind: "object" }>;
export type ReferenceExpression = Extract<Expression, { kind: "reference" }>;

/** The maximum length of source text kept for an expression, in characters. */
export const MAX_EXPRESSION_TEXT = 4_096;

export function literal(value: string | number | boolean | null): Expression {
  return { kind: "literal", value };
}

/** Joins parts to a text. Neighbouring literals become one; a text of literals alone becomes a literal. */
export function textOf(parts: readonly Expression[]): Expression {
  const joined: Expression[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.kind === "literal" && before?.kind === "literal")
      joined[joined.length - 1] = literal(`${before.value}${part.value}`);
    else joined.push(part.kind === "literal" ? literal(String(part.value)) : part);
  }
  if (joined.length === 0) return literal("");
  const [first] = joined;
  return joined.length === 1 && first?.kind === "literal" ? first : { kind: "text", parts: joined };
}

/** The line of an expression, or of its first part that has one. */
export function lineIn(of: Expression | undefined): number | undefined {
  let at = of;
  while (at !== undefined) {
    if ("line" in at) return at.line;
    if (at.kind === "object") return at.members[0]?.line;
    at = partsOf(at).find((part) => part.kind !== "literal");
  }
  return undefined;
}

/** The text of expressions without their lines: equal values have equal texts, wherever they stand. */
export function withoutLines(of: Expression | readonly object[]): string {
  return JSON.stringify(of, (key, value: unknown) => (key === "line" ? undefined : value));
}

/** All references in an expression, in the order of the source. */
export function referencesIn(expression: Expression): ReferenceExpression[] {
  const found: ReferenceExpression[] = [];
  const waiting: Expression[] = [expression];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    // No spreading: a list of a hundred thousand items is too many arguments for a call.
    if (at.kind === "reference") found.push(at);
    else if (at.kind === "opaque") for (const one of at.references) found.push(one);
    else for (const part of partsOf(at).toReversed()) waiting.push(part);
  }
  return found;
}

export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "list":
      return expression.items;
    case "object":
      return expression.members.map(({ value }) => value);
    case "text":
      return expression.parts;
    case "call":
      return expression.args;
    case "for": {
      const { of, key, value, condition } = expression;
      return [of, key, value, condition].filter((part) => part !== undefined);
    }
    case "literal":
    case "reference":
    case "opaque":
      return [];
  }
}

/** Returns the expression with each of its parts changed. */
export function withParts(
  expression: Expression,
  change: (part: Expression) => Expression,
): Expression {
  switch (expression.kind) {
    case "list":
      return { ...expression, items: expression.items.map(change) };
    case "object":
      return {
        ...expression,
        members: expression.members.map((one) => ({ ...one, value: change(one.value) })),
      };
    case "text":
      return { ...expression, parts: expression.parts.map(change) };
    case "call":
      return { ...expression, args: expression.args.map(change) };
    case "for": {
      const { of, key, value, condition } = expression;
      return {
        ...expression,
        of: change(of),
        key: key && change(key),
        value: change(value),
        condition: condition && change(condition),
      };
    }
    case "literal":
    case "reference":
    case "opaque":
      return expression;
  }
}
