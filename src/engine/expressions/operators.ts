import { kindOf, kindsOf } from "#engine/kind-of.ts";
import {
  isMap,
  mayBe,
  PartlyKnown,
  Secret,
  Unknown,
  unknownOf,
  type Value,
  type ValueType,
} from "#engine/value.ts";
import type { ArithmeticOperator, OrderOperator, Range } from "./ast.ts";
import type { Budget } from "./budget.ts";
import { ExpressionError } from "./problem.ts";
import { equal, order, typeOf } from "./values/equality.ts";
import { measure, sealedResult } from "./values/measure.ts";
import { isSealed, markValue, noMarks, unmark } from "./values/outcome.ts";
import { sealedValue } from "./values/sealed-value.ts";
import { textOfSealed } from "./values/text-of.ts";

/** A value and the part of the expression that gives it. */
export interface Operand {
  value: Value;
  at: Range;
}

/** The places of an operation, and what it may spend. */
export interface Operation {
  at: Range;
  budget: Budget;
}

/** The kind of a sealed value is not told. */
export function wrongKind(
  subject: string,
  takes: string,
  value: Value,
  at: Range,
): ExpressionError {
  if (isSealed(value)) return sealedValue(subject, at);
  return new ExpressionError({ kind: "wrong_kind", subject, takes, given: kindOf(value) }, at);
}

/** A boolean without marks, or undefined: only known after apply. */
export function requireBoolean(value: Value, subject: string, at: Range): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value instanceof Unknown && mayBe(value, ["boolean"])) return undefined;
  throw wrongKind(subject, "a boolean", value, at);
}

export function not({ value, at }: Operand): Value {
  if (isSealed(value)) throw sealedValue("`!`", at);
  const marks = noMarks();
  const bare = requireBoolean(unmark(value, marks), "`!`", at);
  return markValue(bare === undefined ? unknownOf("boolean") : !bare, marks);
}

export function minus({ value, at }: Operand): Value {
  if (isSealed(value)) throw sealedValue("`-`", at);
  const marks = noMarks();
  const bare = unmark(value, marks);
  if (bare instanceof Unknown && mayBe(bare, ["number"]))
    return markValue(unknownOf("number"), marks);
  if (typeof bare !== "number") throw wrongKind("`-`", "a number", bare, at);
  return markValue(0 - bare, marks);
}

/** Whether two values are equal: a boolean, or unknown. */
export function compareEqual(left: Operand, right: Operand, { at, budget }: Operation): Value {
  const [a, b] = [measure(left.value), measure(right.value)];
  if (a.sealed || b.sealed) throw sealedValue("A comparison", at);
  budget.spendOnCharacters(Math.min(a.size, b.size), at);
  const same = equal(left.value, right.value) ?? unknownOf("boolean");
  return markValue(same, { secret: a.secret || b.secret, sealed: false });
}

export function isIn(left: Operand, right: Operand, { at, budget }: Operation): Value {
  const marks = noMarks();
  const container = unmark(right.value, marks);
  const isList = Array.isArray(container);
  if (measure(left.value).sealed || marks.sealed || (isList && measure(container).sealed))
    throw sealedValue("`in`", at);
  const item = unmark(left.value, marks);
  if (container instanceof Unknown && mayBe(container, ["array", "object"]))
    return markValue(unknownOf("boolean"), marks);
  if (!isList && !isMap(container) && !(container instanceof PartlyKnown))
    throw wrongKind("`in`", "a list or a map", container, right.at);
  if (!isList) return markValue(isKeyOf(item, container), marks);
  budget.spendOnCharacters(measure(container).size, at);
  const size = measure(item).size;
  budget.spend(container.length, at);
  budget.spendOnCharacters(Math.min(size * container.length, measure(container).size), at);
  const { secret } = measure(container);
  let found: boolean | undefined = false;
  for (const one of container) {
    const same = equal(item, one);
    if (same === false) continue;
    found = same;
    if (same === true) break;
  }
  return markValue(found ?? unknownOf("boolean"), {
    secret: marks.secret || secret || measure(item).secret,
    sealed: false,
  });
}

function isKeyOf(key: Value, map: { [key: string]: Value } | PartlyKnown): Value {
  if (key instanceof Unknown) return mayBe(key, ["string"]) ? unknownOf("boolean") : false;
  if (typeof key !== "string") return false;
  if (!(map instanceof PartlyKnown)) return Object.hasOwn(map, key);
  return Object.hasOwn(map.known, key) ? true : unknownOf("boolean");
}

export function compareOrder(
  operator: OrderOperator,
  left: Operand,
  right: Operand,
  { at, budget }: Operation,
): Value {
  return onPair(operator, left, right, ["number", "string", "boolean"], at, (a, b) => {
    if (a === undefined || b === undefined) return unknownOf("boolean");
    const isText = typeof a === "string" && typeof b === "string";
    if (isText) budget.spendOnCharacters(Math.min(a.length, b.length), at);
    const difference = isText ? order(a, b) : Number(a) - Number(b);
    switch (operator) {
      case "<":
        return difference < 0;
      case "<=":
        return difference <= 0;
      case ">":
        return difference > 0;
      case ">=":
        return difference >= 0;
    }
  });
}

/** Adds numbers, joins texts and lists. A sealed value of any kind is joined as a text. */
export function add(left: Operand, right: Operand, { at, budget }: Operation): Value {
  if (isSealed(left.value) || isSealed(right.value)) return joinSealed(left, right, { at, budget });
  return onPair("+", left, right, ["number", "string", "array"], at, (a, b, types) => {
    if (a === undefined || b === undefined) return unknownOf(...types);
    if (typeof a === "string" && typeof b === "string") {
      budget.spendOnText(a.length + b.length, at);
      return a + b;
    }
    if (Array.isArray(a) && Array.isArray(b)) return budget.spendOnList([...a, ...b], at);
    return calculated("+", Number(a), Number(b), Number(a) + Number(b), at);
  });
}

function joinSealed(left: Operand, right: Operand, { at, budget }: Operation): Value {
  let size = 0;
  const texts = [left, right].map((operand): Value => {
    size += measure(operand.value).size;
    const bare = operand.value instanceof Secret ? operand.value.value : operand.value;
    if (isSealed(operand.value)) return textOfSealed(bare);
    const isText = bare instanceof Unknown ? mayBe(bare, ["string"]) : typeof bare === "string";
    if (!isText) throw sealedValue("`+` with another kind than a string", at);
    return bare;
  });
  budget.spendOnText(size, at);
  const [a, b] = texts;
  const joined = typeof a === "string" && typeof b === "string" ? a + b : unknownOf("string");
  return sealedResult(joined, size);
}

/** `whole`: `/` cuts the fraction off between whole numbers. */
export function calculate(
  operator: Exclude<ArithmeticOperator, "+">,
  left: Operand,
  right: Operand,
  { at, whole }: { at: Range; whole: boolean },
): Value {
  return onPair(operator, left, right, ["number"], at, (a, b) => {
    if (typeof a !== "number" || typeof b !== "number") return unknownOf("number");
    switch (operator) {
      case "-":
        return calculated(operator, a, b, a - b, at);
      case "*":
        return calculated(operator, a, b, a * b, at);
      case "/":
        requireNotZero(b, right.at);
        return calculated(operator, a, b, whole && isWhole(a, b) ? Math.trunc(a / b) : a / b, at);
      case "%":
        requireNotZero(b, right.at);
        if (!isWhole(a, b))
          throw new ExpressionError(
            { kind: "invalid_argument", subject: "`%`", reason: "takes whole numbers." },
            at,
          );
        return calculated(operator, a, b, a % b, at);
    }
  });
}

function isWhole(a: number, b: number): boolean {
  return Number.isSafeInteger(a) && Number.isSafeInteger(b);
}

function requireNotZero(divisor: number, at: Range): void {
  if (divisor !== 0) return;
  throw new ExpressionError(
    { kind: "invalid_argument", subject: "The divisor", reason: "is 0." },
    at,
  );
}

/** Beyond 2^53, whole numbers are not exact. */
function calculated(operator: string, a: number, b: number, result: number, at: Range): number {
  const isWholeResult = isWhole(a, b) && Number.isInteger(result);
  if (isWholeResult ? Number.isSafeInteger(result) : Number.isFinite(result))
    return result === 0 ? 0 : result;
  throw new ExpressionError(
    {
      kind: "invalid_argument",
      subject: `The result of \`${operator}\``,
      reason: "is larger than a number can be.",
    },
    at,
  );
}

/**
 * Applies `work` to two values of one type, without marks. One that is only known after apply is undefined; `types` are
 * those that both may have.
 */
function onPair(
  operator: string,
  left: Operand,
  right: Operand,
  allowed: readonly ValueType[],
  at: Range,
  work: (a: Value | undefined, b: Value | undefined, types: readonly ValueType[]) => Value,
): Value {
  const subject = `\`${operator}\``;
  if (isSealed(left.value) || isSealed(right.value)) throw sealedValue(subject, at);
  const marks = noMarks();
  const [a, b] = [unmark(left.value, marks), unmark(right.value, marks)];
  const typesOfLeft = requireTypes(a, allowed, subject, left.at);
  const typesOfRight = requireTypes(b, allowed, subject, right.at);
  const types = typesOfLeft.filter((type) => typesOfRight.includes(type));
  if (types.length === 0) throw mixedKinds(subject, a, b, at);
  return markValue(
    work(a instanceof Unknown ? undefined : a, b instanceof Unknown ? undefined : b, types),
    marks,
  );
}

function requireTypes(
  value: Value,
  allowed: readonly ValueType[],
  subject: string,
  at: Range,
): readonly ValueType[] {
  const types = allowed.filter((type) =>
    value instanceof Unknown ? mayBe(value, [type]) : typeOf(value) === type,
  );
  if (types.length === 0) throw wrongKind(subject, kindsOf(allowed), value, at);
  return types;
}

function mixedKinds(subject: string, a: Value, b: Value, at: Range): ExpressionError {
  const hasText = [a, b].some((value) => kindOf(value) === "a string");
  return new ExpressionError(
    {
      kind: "wrong_kind",
      subject,
      takes: "two values of one kind",
      given: `${kindOf(a)} and ${kindOf(b)}`,
      ...(hasText ? { hint: "Make a string with `string(…)`." } : {}),
    },
    at,
  );
}
