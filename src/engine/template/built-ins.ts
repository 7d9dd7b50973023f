/** The functions in their `fn::` form: another spelling of functions of expressions, with the same rules. */
import type { Range } from "#engine/expressions/ast.ts";
import type { Budget } from "#engine/expressions/budget.ts";
import { callFunction } from "#engine/expressions/call-function.ts";
import type { FunctionEntry } from "#engine/expressions/function-entry.ts";
import { functions } from "#engine/expressions/functions.ts";
import { wrongKind } from "#engine/expressions/operators.ts";
import { ExpressionError, explain } from "#engine/expressions/problem.ts";
import { isSealed, markValue, noMarks, unmark } from "#engine/expressions/values/outcome.ts";
import { sealedValue } from "#engine/expressions/values/sealed-value.ts";
import { mayBe, Unknown, unknownOf, unknown, type Value, type ValueType } from "#engine/value.ts";
import { ResolveError } from "./resolve-error.ts";
import type { BuiltIn, Place } from "./template.ts";

/** The place of the whole call is known, not those of its arguments. */
const at: Range = { start: 0, end: 0 };

const entries = new Map(
  functions.flatMap((entry) => {
    const { template } = entry;
    if (template === undefined) return [];
    return [[template.name, { ...entry, name: `fn::${template.name}`, template }] as const];
  }),
);

function entryOf(fn: BuiltIn) {
  const entry = entries.get(fn);
  if (entry === undefined) throw new Error(`The table of functions lacks fn::${fn}`);
  return entry;
}

/** The type of the function's results; undefined: it has several. */
export function resultTypeOf(fn: BuiltIn): ValueType | undefined {
  const [type, ...more] = entryOf(fn).result ?? [];
  return more.length === 0 ? type : undefined;
}

/** The result of a function. Throws `ResolveError` for an argument that it refuses. */
export function callBuiltIn(fn: BuiltIn, argument: Value, place: Place, budget: Budget): Value {
  const entry = entryOf(fn);
  const { order } = entry.template;
  try {
    return order === "one"
      ? call(entry, [argument], budget)
      : callWithList(entry, argument, order, budget);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { message, hint } = explain(error.problem);
    throw new ResolveError(error.problem.kind, message, place, hint);
  }
}

function call(entry: FunctionEntry, given: readonly Value[], budget: Budget): Value {
  return callFunction(
    entry,
    { name: entry.name, nameAt: at, isMethod: false, at, budget },
    given,
    [],
  );
}

/** The argument is a list of the parameters. Whether a sealed value is one must not show. */
function callWithList(
  entry: FunctionEntry,
  argument: Value,
  order: readonly number[],
  budget: Budget,
): Value {
  const subject = `\`${entry.name}\``;
  if (isSealed(argument)) throw sealedValue(subject, at);
  const marks = noMarks();
  const items = unmark(argument, marks);
  if (items instanceof Unknown && mayBe(items, ["array"])) {
    const { result } = entry;
    return markValue(result === undefined ? unknown : unknownOf(...result), marks);
  }
  if (!Array.isArray(items) || items.length !== order.length) {
    const names = order.map((index) => entry.parameters[index]?.name);
    throw wrongKind(subject, `a list of ${order.length} items, [${names.join(", ")}]`, items, at);
  }
  const given = order.map((index) => items[index] ?? null);
  return markValue(call(entry, given, budget), marks);
}
