/** Converts a condition of a variable to a JSON Schema that the same values meet. */
import { type Expression, type ForExpression, literal } from "#importers/expression.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import type { JsonMap } from "#platform/json.ts";
import { allOf, anyOf, onlyKeyword, PATTERN_UNITS, patternSchema } from "./joined-schemas.ts";
import { patternOfText, sharedPattern } from "./shared-pattern.ts";
import type { Subject } from "./subject.ts";

const MAX_DEPTH = 20;
/** Values and pieces of 32 characters in a comparison. */
const MAX_SIZE = 5_000;

/** Undefined: a part of the condition has no form. `null` counts as met where the condition says so. */
export function schemaOf(condition: Expression, about: Subject, depth = 0): JsonMap | undefined {
  // `||` reads its alternatives again for each condition that it is distributed to.
  if (condition.kind !== "call" || depth > MAX_DEPTH || !about.spend(1)) return undefined;
  const { name, args } = condition;
  const below = (part: Expression | undefined) => part && schemaOf(part, about, depth + 1);
  switch (name) {
    case "&&":
      return all(args.map(below));
    case "||": {
      const branches = branchesOf(condition, about);
      return any(branches, about, below) ?? distributed(branches, about, below);
    }
    case "?:":
      return chosen(args, about, below);
    case "!":
      return not(args[0], about, depth);
    case "alltrue":
    case "anytrue":
      return ofItems(condition, about, below, depth);
    case "contains":
      return isAffordable(condition, about) ? contained(args, about) : undefined;
    case "can":
      return matched(args[0], about);
    case "startswith":
    case "endswith":
      return edge(name, args, about);
    default:
      return isAffordable(condition, about) ? compared(condition, about) : undefined;
  }
}

function isAffordable(condition: Expression, { spend }: Subject): boolean {
  const size = sizeOf(condition, MAX_SIZE);
  return size <= MAX_SIZE && spend(Math.ceil(size));
}

/** Whether the condition is met by null. */
export function meetsNull(condition: Expression, about: Subject): boolean {
  if (condition.kind !== "call") return false;
  if (condition.name === "||")
    return branchesOf(condition, about).length < partsOfOr(condition).length;
  const [test, yes, no] = condition.args;
  if (condition.name !== "?:" || test === undefined) return false;
  return (isNull(test, about) && isTrue(yes)) || (isNotNull(test, about) && isTrue(no));
}

function isTrue(of: Expression | undefined): boolean {
  return of?.kind === "literal" && of.value === true;
}

function isNullTest(of: Expression, sign: string, { is }: Subject): boolean {
  if (of.kind !== "call" || of.name !== sign) return false;
  const [one, other] = of.args;
  const isLiteral = (part: Expression | undefined) =>
    part?.kind === "literal" && part.value === null;
  return (
    one !== undefined &&
    other !== undefined &&
    ((is(one) && isLiteral(other)) || (is(other) && isLiteral(one)))
  );
}

const isNull = (of: Expression, about: Subject): boolean => isNullTest(of, "==", about);
const isNotNull = (of: Expression, about: Subject): boolean => isNullTest(of, "!=", about);

function partsOfOr(of: Expression): Expression[] {
  return of.kind === "call" && of.name === "||" ? of.args.flatMap(partsOfOr) : [of];
}

/** The alternatives, except for null: a config value is never null. */
function branchesOf(condition: Expression, about: Subject): Expression[] {
  return partsOfOr(condition).filter((one) => !isNull(one, about));
}

function all(parts: readonly (JsonMap | undefined)[]): JsonMap | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? allOf(known) : undefined;
}

function any(
  branches: readonly Expression[],
  about: Subject,
  below: (part: Expression) => JsonMap | undefined,
): JsonMap | undefined {
  const found: JsonMap[] = [];
  for (const branch of branches) {
    const one = below(branch);
    if (one === undefined) return undefined;
    found.push(one);
  }
  return anyOf(found, about);
}

/** `a || (b && c)` as `(a || b) && (a || c)`, which may have a form where the first has none. */
function distributed(
  branches: readonly Expression[],
  about: Subject,
  below: (part: Expression) => JsonMap | undefined,
): JsonMap | undefined {
  const [whole, ...others] = branches.filter((one) => one.kind === "call" && one.name === "&&");
  if (whole === undefined || others.length > 0) return undefined;
  const rest = branches.filter((one) => one !== whole);
  return all(conjuncts(whole).map((part) => any([...rest, part], about, below)));
}

/** The conditions that `&&` joins. */
export function conjuncts(of: Expression): Expression[] {
  return of.kind === "call" && of.name === "&&" ? of.args.flatMap(conjuncts) : [of];
}

function chosen(
  [test, yes, no]: readonly Expression[],
  about: Subject,
  below: (part: Expression | undefined) => JsonMap | undefined,
): JsonMap | undefined {
  if (test === undefined) return undefined;
  if (isNull(test, about)) return below(no);
  return isNotNull(test, about) ? below(yes) : undefined;
}

function not(of: Expression | undefined, about: Subject, depth: number): JsonMap | undefined {
  if (of?.kind !== "call") return undefined;
  const made = schemaOf(of, about, depth + 1);
  if (made === undefined) return undefined;
  const values = onlyKeyword(made, "enum");
  if (values !== undefined) return { not: { enum: values } };
  const pattern = onlyKeyword(made, "pattern");
  if (typeof pattern !== "string") return undefined;
  // No character of a class: all characters of the other one.
  const [, sign, inside] = /^\[(\^?)((?:[^\\\]^]|\\.)(?:[^\\\]]|\\.)*)\]$/.exec(pattern) ?? [];
  return inside === undefined ? undefined : { pattern: `^[${sign === "" ? "^" : ""}${inside}]*$` };
}

/** `alltrue([for item in var.x : …])`, or of a list of conditions. */
function ofItems(
  { name, args: [of] }: { name: string; args: readonly Expression[] },
  about: Subject,
  below: (part: Expression) => JsonMap | undefined,
  depth: number,
): JsonMap | undefined {
  if (of?.kind === "list")
    return name === "alltrue" ? all(of.items.map(below)) : any(of.items, about, below);
  if (of?.kind !== "for" || name !== "alltrue" || !about.is(of.of)) return undefined;
  const inside = of.key === undefined && of.condition === undefined ? itemOf(of, about) : undefined;
  const made = inside && schemaOf(of.value, inside, depth + 1);
  if (made === undefined) return undefined;
  if (isList(about)) return { items: made };
  return about.kind === "map" ? { additionalProperties: made } : undefined;
}

function isList({ kind }: Subject): boolean {
  return kind === "list" || kind === "set";
}

function itemOf({ names }: ForExpression, { inner, spend }: Subject): Subject {
  const name = names.at(-1);
  return {
    spend,
    is: (of) =>
      of.kind === "reference" &&
      of.target.kind === "item" &&
      of.target.name === name &&
      of.path.length === 0,
    kind: inner,
    inner: "unknown",
  };
}

function contained(
  [list, value, ...others]: readonly Expression[],
  about: Subject,
): JsonMap | undefined {
  if (list?.kind !== "list" || value === undefined || others.length > 0 || !about.is(value))
    return undefined;
  const values = list.items.flatMap((item) => scalarOf(item, about) ?? []);
  const isWhole = values.length === list.items.length && values.length > 0;
  return isWhole && values.length <= 1_000 ? { enum: values } : undefined;
}

/** A literal of the subject's type, as Terraform converts it. */
function scalarOf(of: Expression, { kind }: Subject): string | number | boolean | undefined {
  const value = signed(of);
  if (value === null || value === undefined) return undefined;
  if (kind === "string") return String(value);
  if (kind === "bool") return typeof value === "boolean" ? value : undefined;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return kind === "number" && typeof number === "number" && Number.isFinite(number)
    ? number
    : undefined;
}

function signed(of: Expression | undefined): string | number | boolean | null | undefined {
  if (of?.kind === "literal") return of.value;
  if (of?.kind !== "call" || of.name !== "-" || of.args.length !== 1) return undefined;
  const [one] = of.args;
  return one?.kind === "literal" && typeof one.value === "number" ? -one.value : undefined;
}

/** `can(regex("…", var.x))` */
function matched(of: Expression | undefined, about: Subject): JsonMap | undefined {
  if (of?.kind !== "call" || of.name !== "regex" || about.kind !== "string") return undefined;
  const [pattern, value] = of.args;
  if (pattern?.kind !== "literal" || value === undefined || !about.is(value)) return undefined;
  const shared = about.spend(PATTERN_UNITS) ? sharedPattern(String(pattern.value)) : undefined;
  return shared === undefined ? undefined : { pattern: shared };
}

function edge(
  name: string,
  [value, given]: readonly Expression[],
  about: Subject,
): JsonMap | undefined {
  if (value === undefined || !about.is(value) || about.kind !== "string") return undefined;
  if (given?.kind !== "literal" || typeof given.value !== "string") return undefined;
  const text = patternOfText(given.value);
  return patternSchema(name === "startswith" ? `^${text}` : `${text}$`, about);
}

const mirrored: ReadonlyMap<string, string> = new Map([
  ["<", ">"],
  [">", "<"],
  ["<=", ">="],
  [">=", "<="],
  ["==", "=="],
  ["!=", "!="],
]);

function compared(
  { name, args }: { name: string; args: readonly Expression[] },
  about: Subject,
): JsonMap | undefined {
  const [one, other] = args;
  const turned = mirrored.get(name);
  if (turned === undefined || one === undefined || other === undefined) return undefined;
  return signed(one) === undefined
    ? comparedWith(one, name, other, about)
    : comparedWith(other, turned, one, about);
}

function comparedWith(
  of: Expression,
  sign: string,
  given: Expression,
  about: Subject,
): JsonMap | undefined {
  if (about.is(of)) {
    const value = scalarOf(given, about);
    if (value === undefined)
      return isWholeTest(of, sign, given, about) ? { multipleOf: 1 } : undefined;
    if (sign === "==") return { enum: [value] };
    if (sign === "!=") return value === "" ? { minLength: 1 } : { not: { enum: [value] } };
    const keyword = ranges.get(sign);
    return typeof value === "number" && keyword !== undefined ? { [keyword]: value } : undefined;
  }
  if (of.kind !== "call") return undefined;
  const [inner] = of.args;
  if (inner === undefined) return undefined;
  if (
    of.name === "floor" &&
    sign === "==" &&
    about.is(inner) &&
    about.is(given) &&
    about.kind === "number"
  )
    return { multipleOf: 1 };
  if (of.name === "trimspace" && about.is(inner) && sign === "!=" && signed(given) === "")
    return { pattern: "[^\\t\\n\\f\\r ]" };
  if (of.name !== "length") return undefined;
  return about.is(inner)
    ? ofLength(sign, signed(given), about)
    : ofMatches(inner, sign, given, about);
}

const ranges: ReadonlyMap<string, string> = new Map([
  ["<", "exclusiveMaximum"],
  [">", "exclusiveMinimum"],
  ["<=", "maximum"],
  [">=", "minimum"],
]);

/** `var.x == floor(var.x)` */
function isWholeTest(of: Expression, sign: string, given: Expression, about: Subject): boolean {
  if (sign !== "==" || about.kind !== "number" || given.kind !== "call") return false;
  const [inner] = given.args;
  return given.name === "floor" && inner !== undefined && about.is(inner) && about.is(of);
}

/** `length(regexall("…", var.x)) > 0`, and `length(setsubtract(var.x, […])) == 0`. */
function ofMatches(
  of: Expression,
  sign: string,
  given: Expression,
  about: Subject,
): JsonMap | undefined {
  if (of.kind !== "call") return undefined;
  const [one, other] = of.args;
  const bound = signed(given);
  if (of.name === "regexall")
    return (sign === ">" && bound === 0) ||
      (sign === ">=" && bound === 1) ||
      (sign === "!=" && bound === 0)
      ? matched({ ...of, name: "regex" }, about)
      : undefined;
  if (of.name !== "setsubtract" || sign !== "==" || bound !== 0 || !isList(about)) return undefined;
  if (one === undefined || !about.is(one) || other === undefined) return undefined;
  const item: Subject = {
    ...about,
    is: (part) => part.kind === "literal" && part.value === null,
    kind: about.inner,
    inner: "unknown",
  };
  const made = contained([other, literal(null)], item);
  return made && { items: made };
}

/** Terraform counts letters, and the schema code points, which are as many in ordinary texts. */
const lengths: { readonly [kind: string]: readonly [least: string, most: string] } = {
  string: ["minLength", "maxLength"],
  list: ["minItems", "maxItems"],
  map: ["minProperties", "maxProperties"],
};

function ofLength(sign: string, bound: unknown, { kind }: Subject): JsonMap | undefined {
  const isSome = (sign === ">" && bound === 0) || (sign === ">=" && bound === 1);
  // A list may have an item of a set twice.
  if (kind === "set") return isSome || (sign === "!=" && bound === 0) ? { minItems: 1 } : undefined;
  const [least, most] = lengths[kind] ?? [];
  if (least === undefined || most === undefined) return undefined;
  if (typeof bound !== "number" || !Number.isInteger(bound)) return undefined;
  const between = (from: number, to: number): JsonMap | undefined => {
    if (to < 0) return undefined;
    return { ...(from > 0 ? { [least]: from } : {}), ...(to < Infinity ? { [most]: to } : {}) };
  };
  switch (sign) {
    case ">":
      return between(bound + 1, Infinity);
    case ">=":
      return between(bound, Infinity);
    case "<":
      return between(0, bound - 1);
    case "<=":
      return between(0, bound);
    case "==":
      return between(bound, bound);
    default:
      return bound === 0 ? between(1, Infinity) : undefined;
  }
}
