/** The functions that the table does not have, since they take or give optionals or an omission. */
import {
  isMap,
  PartlyKnown,
  Secret,
  Unknown,
  unknown,
  unknownOf,
  type Value,
} from "#engine/value.ts";
import type { Node, NodeOf } from "./ast.ts";
import { type Evaluation, misusedOmission, requireValue } from "./evaluation.ts";
import type { SpecialFunction } from "./functions.ts";
import { compareEqual, type Operation, wrongKind } from "./operators.ts";
import { isAbsent, nameOf, presenceOf } from "./path.ts";
import { code, ExpressionError } from "./problem.ts";
import type { Variables } from "./scope.ts";
import { either } from "./values/either.ts";
import {
  isOpen,
  isSealed,
  isValue,
  mark,
  markValue,
  noMarks,
  Omission,
  Optional,
  type Outcome,
  unmark,
} from "./values/outcome.ts";
import { sealedValue } from "./values/sealed-value.ts";

export function callSpecial(
  evaluation: Evaluation,
  node: NodeOf<"call">,
  { name, least, most }: SpecialFunction,
  variables: Variables,
): Outcome {
  const [argument] = node.arguments;
  const given = node.arguments.length;
  if (given < least || given > most)
    throw new ExpressionError({ kind: "wrong_count", name, least, most, given }, node);
  if (node.of !== undefined) return callMethod(evaluation, node.of, name, argument, variables);
  if (name === "omit") return new Omission({ certain: true, secret: false });
  if (argument === undefined) return new Optional({ kind: "absent" });
  const value = evaluation.value(argument, variables);
  return name === "optional.of"
    ? new Optional({ kind: "present", value })
    : ofNonZeroValue(value, argument);
}

function ofNonZeroValue(value: Value, at: Node): Optional {
  if (isSealed(value)) throw sealedValue("`optional.ofNonZeroValue`", at);
  const marks = noMarks();
  const bare = unmark(value, marks);
  const mayBeEmpty = bare instanceof PartlyKnown && Object.keys(bare.known).length === 0;
  if (bare instanceof Unknown || mayBeEmpty) return new Optional({ kind: "unknown" }, marks.secret);
  const isZero =
    bare === null ||
    bare === false ||
    bare === 0 ||
    bare === "" ||
    (Array.isArray(bare) && bare.length === 0) ||
    (isMap(bare) && Object.keys(bare).length === 0);
  return new Optional(isZero ? { kind: "absent" } : { kind: "present", value }, marks.secret);
}

function callMethod(
  evaluation: Evaluation,
  of: Node,
  name: string,
  argument: Node | undefined,
  variables: Variables,
): Outcome {
  const outcome = evaluation.run(of, variables);
  const optional = outcome instanceof Omission ? requireValue(outcome, of) : outcome;
  if (isValue(optional)) {
    if (isOpen(optional) && !isSealed(optional)) return optional;
    throw wrongKind(`\`${name}\``, "an optional, as in `a.?b`", optional, of);
  }
  const { state, secret } = optional;
  const marks = { secret, sealed: false };
  if (name === "hasValue") return presenceOf(optional);
  if (name === "value") {
    if (state.kind === "present") return state.value;
    if (state.kind === "unknown") return markValue(unknown, marks);
    throw withoutValue(evaluation, of, variables);
  }
  if (state.kind === "present") return name === "or" ? optional : state.value;
  if (argument === undefined) return optional;
  if (state.kind === "absent") return mark(other(evaluation, name, argument, variables), marks);
  const instead = evaluation.attempt(argument, variables);
  if (name === "or") return new Optional({ kind: "unknown" }, isMarked(instead) || secret);
  const result = instead instanceof ExpressionError ? unknown : instead;
  return mark(either(unknown, result, argument, evaluation.budget), marks);
}

/** The error of `value` on an optional that is absent. */
function withoutValue(evaluation: Evaluation, of: Node, variables: Variables): ExpressionError {
  const name = nameOf(of);
  if (name !== undefined && isAbsent(evaluation, name, variables))
    return new ExpressionError({ kind: "absent_name", name: name.name }, name);
  const what = name === undefined ? "an optional" : `an optional part of ${code(name.name)}`;
  return new ExpressionError(
    {
      kind: "invalid_argument",
      subject: "`value`",
      reason: `is called on ${what} without a value.`,
      hint: "Write `.orValue(…)`.",
    },
    of,
  );
}

function isMarked(outcome: Outcome | ExpressionError): boolean {
  return outcome instanceof Optional && outcome.secret;
}

function other(
  evaluation: Evaluation,
  name: string,
  argument: Node,
  variables: Variables,
): Outcome {
  const outcome = evaluation.run(argument, variables);
  if (name === "orValue")
    return outcome instanceof Omission ? outcome : requireValue(outcome, argument);
  if (outcome instanceof Optional) return outcome;
  if (isOpen(outcome)) return new Optional({ kind: "unknown" }, outcome instanceof Secret);
  throw isValue(outcome)
    ? wrongKind("`or`", "an optional, as in `a.?b`", outcome, argument)
    : misusedOmission(argument);
}

/** Whether two optionals are equal: both absent, or with equal values. */
export function compareOptionals(
  a: Outcome,
  b: Outcome,
  node: NodeOf<"binary">,
  operation: Operation,
): Value {
  if (!(a instanceof Optional)) return compareMixed(a, b, node);
  if (!(b instanceof Optional)) return compareMixed(b, a, node);
  const marks = { secret: a.secret || b.secret, sealed: false };
  if (a.state.kind === "unknown" || b.state.kind === "unknown")
    return markValue(unknownOf("boolean"), marks);
  if (a.state.kind === "absent" || b.state.kind === "absent")
    return markValue(a.state.kind === b.state.kind, marks);
  const equal = compareEqual(
    { value: a.state.value, at: node.left },
    { value: b.state.value, at: node.right },
    operation,
  );
  return markValue(equal, marks);
}

/** Of an optional and another outcome, which may turn out to be an optional too. */
function compareMixed(outcome: Outcome, optional: Outcome, node: NodeOf<"binary">): Value {
  const value = requireValue(outcome, node);
  if (isSealed(value)) throw sealedValue("A comparison", node);
  if (!isOpen(value)) throw new ExpressionError({ kind: "optional_not_unwrapped" }, node);
  const secret = value instanceof Secret || (optional instanceof Optional && optional.secret);
  return markValue(unknownOf("boolean"), { secret, sealed: false });
}
