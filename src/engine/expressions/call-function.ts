import { kindsOf } from "#engine/kind-of.ts";
import {
  isMap,
  mayBe,
  PartlyKnown,
  Secret,
  Unknown,
  unknown,
  unknownOf,
  type Value,
  type ValueType,
} from "#engine/value.ts";
import type { Range } from "./ast.ts";
import type { Budget } from "./budget.ts";
import type { Call, FunctionEntry, Parameter } from "./function-entry.ts";
import type { Calling } from "./functions.ts";
import { wrongKind } from "./operators.ts";
import { ExpressionError } from "./problem.ts";
import { typeOf } from "./values/equality.ts";
import { measure, sealedResult } from "./values/measure.ts";
import { isSealed, type Marks, markValue } from "./values/outcome.ts";
import { sealedValue } from "./values/sealed-value.ts";
import { textOfSealed } from "./values/text-of.ts";

const CHARACTERS_OF_PARTS = 8;

/**
 * The result of a function. `given`: its arguments, the first being the value before the dot of a method. An unknown
 * argument gives an unknown result, a secret one a secret result, as the entry in the table says.
 */
export function callFunction(
  entry: FunctionEntry,
  calling: Calling,
  given: readonly Value[],
  places: readonly Range[],
): Value {
  const { at, budget } = calling;
  budget.spend(entry.units ?? 1, at);
  requireCount(entry, given.length, calling);
  requireUnsealed(entry, given, at);
  const values = given.map((value, index) => {
    const place = places[index] ?? at;
    spendOnReading(entry, value, place, budget);
    const parameter = entry.parameters[index];
    const read = readable(entry, value, parameter);
    requireKind(entry, read, parameter, place);
    return read;
  });
  const result = isUnknown(entry, given, values)
    ? unknownResult(entry)
    : entry.evaluate({ entry, values, given, places, at, budget });
  return finished(result, { entry, given, at, budget });
}

/** A value of many parts takes longer than a text. Whether a sealed value is one must not show. */
function spendOnReading({ reads }: FunctionEntry, value: Value, at: Range, budget: Budget): void {
  const { size } = measure(value);
  const isText = typeof bareOf(value) === "string";
  if (isText && !isSealed(value)) budget.spendOnCharacters(size, at);
  else if (reads === "whole") budget.spend(Math.ceil(size / CHARACTERS_OF_PARTS), at);
}

function bareOf(value: Value): Value {
  return value instanceof Secret ? value.value : value;
}

function requireCount(entry: FunctionEntry, given: number, { isMethod, at }: Calling): void {
  const receiver = isMethod ? 1 : 0;
  const most = entry.parameters.length - receiver;
  const least = entry.parameters.filter(({ optional }) => optional === undefined).length - receiver;
  const count = given - receiver;
  if (count >= least && count <= most) return;
  throw new ExpressionError(
    { kind: "wrong_count", name: entry.name, least, most, given: count },
    at,
  );
}

function requireUnsealed(entry: FunctionEntry, given: readonly Value[], at: Range): void {
  if (entry.sealed === "passed") return;
  const isRead = entry.sealed === "refused" && entry.reads === "whole";
  if (given.some((value) => (isRead ? measure(value).sealed : isSealed(value))))
    throw sealedValue(`\`${entry.name}\``, at);
}

/** The value as the function reads it. */
function readable(entry: FunctionEntry, value: Value, parameter: Parameter | undefined): Value {
  if (entry.marks === "kept") return value;
  // A sealed value of another kind is read as a text, since a refusal would tell its kind.
  if (isSealed(value) && parameter?.types?.includes("string") === true)
    return textOfSealed(bareOf(value));
  return entry.reads === "whole" && measure(value).secret ? withoutSecrets(value) : bareOf(value);
}

function withoutSecrets(value: Value): Value {
  if (value instanceof Secret) return withoutSecrets(value.value);
  if (value instanceof PartlyKnown) {
    const known = withoutSecrets(value.known);
    return isMap(known) ? new PartlyKnown(known, value.later) : value;
  }
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]),
  );
}

function requireKind(
  { name }: FunctionEntry,
  value: Value,
  parameter: Parameter | undefined,
  at: Range,
): void {
  const types = parameter?.types;
  if (types === undefined || hasType(value, types)) return;
  const takes = types.includes("integer") ? "a whole number" : kindsOf(types);
  throw wrongKind(`\`${name}\``, takes, value, at);
}

function hasType(value: Value, types: readonly ValueType[]): boolean {
  if (value instanceof Unknown || value instanceof PartlyKnown) return mayBe(value, types);
  if (typeof value === "number")
    return types.includes("number") || (types.includes("integer") && Number.isSafeInteger(value));
  const type = typeOf(value);
  return type !== undefined && types.includes(type);
}

function isUnknown(
  entry: FunctionEntry,
  given: readonly Value[],
  values: readonly Value[],
): boolean {
  if (entry.marks === "kept") return false;
  if (values.some((value) => value instanceof Unknown)) return true;
  if (entry.partly === true) return false;
  return entry.reads === "whole"
    ? given.some((value) => measure(value).unknown)
    : values.some((value) => value instanceof PartlyKnown);
}

function unknownResult({ result }: FunctionEntry): Unknown {
  return result === undefined ? unknown : unknownOf(...result);
}

/** The result with its marks, charged for. */
function finished(
  result: Value,
  { entry, given, at, budget }: Pick<Call, "entry" | "given" | "at" | "budget">,
): Value {
  if (entry.marks === "kept" || isSealed(result)) return result;
  const marks = marksOf(entry, given, result);
  if (marks.sealed) {
    const sizes = given.map((value) => measure(value).size * (entry.growth ?? 1));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    budget.spendOnText(size, at);
    return sealedResult(result, size);
  }
  if (typeof result === "string") budget.spendOnText(result.length, at);
  else if (Array.isArray(result)) budget.spendOnList(result, at);
  else if (isMap(result)) budget.spendOnMap(result, at);
  return markValue(result, marks);
}

function marksOf(entry: FunctionEntry, given: readonly Value[], result: Value): Marks {
  const isDeep =
    entry.reads === "whole" || (entry.passesItems === true && result instanceof Unknown);
  const sources = isDeep
    ? given.map(measure)
    : given.map((value) => ({ secret: value instanceof Secret, sealed: isSealed(value) }));
  return {
    secret: sources.some(({ secret }) => secret),
    sealed: sources.some(({ sealed }) => sealed),
  };
}
