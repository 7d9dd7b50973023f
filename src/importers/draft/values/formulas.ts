/**
 * Writes the operators and functions of Terraform and CloudFormation as expressions of the template language, where a value of the deployment
 * decides them: `var.size > 1 ? "large" : "small"`.
 */
import type { Scope } from "#importers/draft/scopes/scope.ts";
import type { Expression } from "#importers/expression.ts";
import type { Json } from "#platform/json.ts";
import { type Converted, isReference, value } from "./converted.ts";
import type { Converting, Use } from "./use.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** Below the limit of an expression, 2,000 characters. */
const MAX_TEXT = 1_500;
const MAX_DEPTH = 20;

export class Formulas {
  readonly #values: Converting;

  constructor(values: Converting) {
    this.#values = values;
  }

  /** Undefined: the template language has no form for a part of it. */
  convert(call: CallExpression, scope: Scope, use: Use): Converted | undefined {
    const text = this.#call(call, scope, { ...use, shape: undefined, reads: undefined }, 0);
    if (text === undefined || text.length > MAX_TEXT) return undefined;
    return value(`\${${text}}`);
  }

  /** The text of an expression, which can stand beside any operator. */
  #text(expression: Expression, scope: Scope, use: Use, depth: number): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const known = scope.decided.decide(scope.decided.bound(expression, scope));
    if (known?.kind === "error") return undefined;
    if (isNoValue(expression)) return "omit()";
    if (known === undefined && expression.kind === "call")
      return this.#call(expression, scope, use, depth);
    if (known === undefined && expression.kind === "text")
      return this.#joined(expression.parts, scope, use, depth);
    const made = known === undefined ? this.#values.convert(expression, scope, use) : undefined;
    const converted = made ?? (known && this.#values.decided(known, use));
    if (converted?.kind !== "value") return undefined;
    // Converted literals are escaped as texts of a template.
    return known?.kind === "literal" && typeof known.value === "string"
      ? JSON.stringify(known.value)
      : written(converted.value);
  }

  #joined(parts: readonly Expression[], scope: Scope, use: Use, depth: number): string | undefined {
    const texts = parts.map((part) => {
      const text = this.#text(part, scope, use, depth + 1);
      return text === undefined || text.startsWith('"') ? text : `string(${text})`;
    });
    return texts.includes(undefined) ? undefined : `(${texts.join(" + ")})`;
  }

  #call({ name, args }: CallExpression, scope: Scope, use: Use, depth: number): string | undefined {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) return undefined;
    const texts: string[] = [];
    for (const arg of args) {
      const text = this.#text(arg, scope, use, depth + 1);
      if (text === undefined) return undefined;
      texts.push(text);
    }
    // A config value that is a text already needs no conversion.
    const [only = ""] = texts;
    const isText =
      name === "tostring" && this.#values.variable(`\${${only}}`)?.["type"] === "string";
    return isText ? only : form(texts);
  }
}

function isNoValue(expression: Expression): boolean {
  if (expression.kind !== "call" || expression.name !== "pseudo") return false;
  const [named] = expression.args;
  return named?.kind === "literal" && named.value === "AWS::NoValue";
}

/** A converted value as an expression. */
function written(of: Json): string | undefined {
  if (typeof of === "string")
    return isReference(of) ? of.slice(2, -1) : of.includes("${") ? undefined : JSON.stringify(of);
  if (typeof of === "number" || typeof of === "boolean") return String(of);
  if (!Array.isArray(of)) return undefined;
  const items = of.map(written);
  return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
}

type Form = (texts: readonly string[]) => string | undefined;

const operator =
  (sign: string): Form =>
  ([left, right]) =>
    left === undefined
      ? undefined
      : right === undefined
        ? `${sign}${left}`
        : `(${left} ${sign} ${right})`;

const called =
  (name: string, count = 1): Form =>
  (texts) =>
    texts.length === count ? `${name}(${texts.join(", ")})` : undefined;

/** A method of the argument at `of`, with the other ones as its arguments. */
const method =
  (name: string, { of = 0, count = 1 } = {}): Form =>
  (texts) =>
    texts.length === count
      ? `${texts[of]}.${name}(${texts.filter((_, at) => at !== of).join(", ")})`
      : undefined;

const forms: { readonly [name: string]: Form } = {
  "?:": ([condition, met, otherwise]) => `(${condition} ? ${met} : ${otherwise})`,
  "==": operator("=="),
  "!=": operator("!="),
  "<": operator("<"),
  "<=": operator("<="),
  ">": operator(">"),
  ">=": operator(">="),
  "&&": operator("&&"),
  "||": operator("||"),
  "!": operator("!"),
  "+": operator("+"),
  "-": operator("-"),
  "*": operator("*"),
  "%": operator("%"),
  // Terraform keeps the fraction.
  "/": ([left, right]) => `(double(${left}) / ${right})`,
  contains: ([list, item]) => `(${item} in ${list})`,
  length: called("size"),
  lower: method("lowerAscii"),
  upper: method("upperAscii"),
  trimspace: method("trim"),
  join: method("join", { of: 1, count: 2 }),
  split: method("split", { of: 1, count: 2 }),
  // Between slashes, Terraform replaces a pattern.
  replace: (texts) =>
    texts[1]?.startsWith('"') === true && !texts[1].startsWith('"/')
      ? method("replace", { count: 3 })(texts)
      : undefined,
  startswith: method("startsWith", { count: 2 }),
  endswith: method("endsWith", { count: 2 }),
  concat: (texts) => `(${texts.join(" + ")})`,
  merge: ([first, ...others]) =>
    first === undefined ? undefined : first + others.map((one) => `.merge(${one})`).join(""),
  keys: method("keys"),
  values: method("values"),
  distinct: method("distinct"),
  sort: method("sort"),
  reverse: method("reverse"),
  tolist: ([only]) => only,
  // CloudFormation's comparisons convert literals too.
  tostring: ([only]) =>
    only?.startsWith('"') === true
      ? only
      : /^[0-9.]+$|^true$|^false$/.test(only ?? "")
        ? `"${only}"`
        : `string(${only})`,
  tonumber: called("double"),
  tobool: called("bool"),
  jsonencode: called("json.encode"),
  jsondecode: called("json.decode"),
  base64encode: called("base64.encode"),
  base64decode: called("base64.decode"),
  sha1: called("sha1"),
  sha256: called("sha256"),
  sha512: called("sha512"),
  format: ([pattern, ...values]) =>
    pattern !== undefined && /^"(?:[^%\\]|%[sd%])*"$/.test(pattern)
      ? `${pattern}.format([${values.join(", ")}])`
      : undefined,
  lookup: ([map, key, otherwise]) =>
    otherwise === undefined ? undefined : `${map}[?${key}].orValue(${otherwise})`,
  cidrsubnet: called("cidrSubnet", 3),
  cidrhost: called("cidrHost", 2),
  cidrnetmask: called("cidrNetmask"),
};
