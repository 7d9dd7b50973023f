/**
 * Values as infrastructure code writes them, in one form for every format. Nothing is evaluated: what a format computes
 * is kept as what it refers to, so that a draft can say the same in our language, or name what it cannot say.
 */

/** What a reference is to. Addresses are as {@link SourceResource.address} has them within the same module. */
export type ReferenceTarget =
  | { kind: "resource"; address: string }
  | { kind: "variable"; name: string }
  | { kind: "local"; name: string }
  | { kind: "module"; name: string }
  /** What each instance of a repeated resource or module has of its own: `each.key`, `each.value`, `count.index`. */
  | { kind: "each"; name: "key" | "value" }
  | { kind: "count"; name: "index" }
  /** What a `for` around it takes one by one: as {@link ForExpression.names} has it. */
  | { kind: "item"; name: string };

export type Expression =
  | { kind: "literal"; value: string | number | boolean | null }
  | { kind: "list"; items: readonly Expression[] }
  /** Members in the order of the source; a name is there once. */
  | { kind: "object"; members: readonly Member[] }
  /** A text of several parts, at least one of which is no literal. */
  | { kind: "text"; parts: readonly Expression[] }
  /** `path`: members and indexes read below the target, outermost first. `line`: of the reference. */
  | {
      kind: "reference";
      target: ReferenceTarget;
      path: readonly (string | number)[];
      line: number;
    }
  /**
   * A function of the source's language by its own name; of HCL, also an operator: `?:` and `==` by their signs, `[]` for a
   * part that is computed (of what, then the steps), `[*]` for a part of each item, `...` for a last argument that is
   * several, `{}` for nested blocks some of which a `for` makes.
   */
  | { kind: "call"; name: string; args: readonly Expression[]; line: number }
  /** A value for each item of a list or a map: a list of them, or with `key` a map. */
  | {
      kind: "for";
      /** Of the index or key, if it has one, and last of the value. */
      names: readonly string[];
      of: Expression;
      key?: Expression | undefined;
      value: Expression;
      condition?: Expression | undefined;
      /** Values of the same key are a list. */
      isGrouped: boolean;
      line: number;
    }
  /** What has no form here: its text, at most {@link MAX_EXPRESSION_TEXT} characters, and what it refers to. */
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

/** Characters of the source that are kept of an expression. */
export const MAX_EXPRESSION_TEXT = 4_096;

export function literal(value: string | number | boolean | null): Expression {
  return { kind: "literal", value };
}

/** A text of these parts: a literal where all are, neighbouring literals as one. */
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

/** Every reference in an expression, in the order of the source. */
export function referencesIn(expression: Expression): ReferenceExpression[] {
  const found: ReferenceExpression[] = [];
  const waiting: Expression[] = [expression];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    // Without spreading: a list of a hundred thousand items is too many arguments for a call.
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

/** The same with other parts, if it has parts. */
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
