/** Members and items: `a.b`, `a[0]`, `a.?b`, `a[?"b"]`, and whether they exist. */
import {
  isMap,
  mayBe,
  PartlyKnown,
  Secret,
  Unknown,
  unknown,
  unknownOf,
  type Value,
} from "#engine/value.ts";
import type { Node, NodeOf, Range } from "./ast.ts";
import { type Evaluation, misusedOmission, requireValue } from "./evaluation.ts";
import { wrongKind } from "./operators.ts";
import { ExpressionError } from "./problem.ts";
import { findVariable, type Variables } from "./scope.ts";
import { measure } from "./values/measure.ts";
import {
  isSealed,
  isValue,
  mark,
  type Marks,
  markValue,
  noMarks,
  Omission,
  Optional,
  type Outcome,
  unmark,
} from "./values/outcome.ts";
import { type Part, partOf } from "./values/parts.ts";
import { sealedValue } from "./values/sealed-value.ts";

type Step = NodeOf<"member"> | NodeOf<"index">;

/** Steps are followed in a loop, since the parts of what was sent to a cloud may grow (`partOf`). */
export function evaluatePath(evaluation: Evaluation, node: Step, variables: Variables): Outcome {
  const steps = stepsOf(node);
  let at = startOf(evaluation, steps, variables);
  for (const step of steps) {
    evaluation.budget.spend(1, step);
    at = follow(evaluation, at, step, variables);
  }
  return at.outcome;
}

/** `has(a.b)`: whether the last step finds a part. `has(a)`: whether the name is included. */
export function isPresent(
  evaluation: Evaluation,
  { of }: NodeOf<"has">,
  variables: Variables,
): Value {
  if (of.kind !== "member" && of.kind !== "index") {
    if (of.kind === "name" && isAbsent(evaluation, of, variables)) return false;
    const outcome = evaluation.run(of, variables);
    return outcome instanceof Optional ? presenceOf(outcome) : true;
  }
  const steps = stepsOf(of);
  const last = steps.pop() ?? of;
  const [first = last] = steps;
  const base = first.of;
  if (base.kind === "name" && isAbsent(evaluation, base, variables)) return false;
  let at = startOf(evaluation, steps, variables, base);
  for (const step of steps) at = follow(evaluation, at, step, variables);
  const { outcome } = follow(evaluation, at, last, variables, true);
  return outcome instanceof Optional ? presenceOf(outcome) : true;
}

export function presenceOf({ state, secret }: Optional): Value {
  const present = state.kind === "unknown" ? unknownOf("boolean") : state.kind === "present";
  return markValue(present, { secret, sealed: false });
}

function stepsOf(node: Step): Step[] {
  const steps: Step[] = [];
  for (let at: Node = node; at.kind === "member" || at.kind === "index"; at = at.of) steps.push(at);
  return steps.reverse();
}

interface Reached {
  outcome: Outcome;
  mayGrow: boolean;
}

function startOf(
  evaluation: Evaluation,
  [first]: readonly Step[],
  variables: Variables,
  base = first?.of,
): Reached {
  if (base === undefined) return { outcome: null, mayGrow: false };
  const mayBeAbsent = first?.optional === true && base.kind === "name";
  if (mayBeAbsent && isAbsent(evaluation, base, variables))
    return { outcome: new Optional({ kind: "absent" }), mayGrow: false };
  const outcome = evaluation.run(base, variables);
  return {
    outcome: outcome instanceof Omission ? requireValue(outcome, base) : outcome,
    mayGrow: false,
  };
}

/** The name that a path begins with. Undefined: it begins with another value. */
export function nameOf(path: Node): NodeOf<"name"> | undefined {
  let at = path;
  while (at.kind === "member" || at.kind === "index") at = at.of;
  return at.kind === "name" ? at : undefined;
}

/** Whether a condition leaves out the name. */
export function isAbsent(
  { scope }: Evaluation,
  { name }: NodeOf<"name">,
  variables: Variables,
): boolean {
  return findVariable(name, variables) === undefined && scope.lookup(name).kind === "absent";
}

/** `always`: a missing part is absent, and no error. */
function follow(
  evaluation: Evaluation,
  { outcome, mayGrow }: Reached,
  step: Step,
  variables: Variables,
  always = step.optional,
): Reached {
  if (outcome instanceof Omission) throw misusedOmission(step.of);
  const marks = noMarks();
  const segment = segmentOf(evaluation, step, variables, marks);
  if (isValue(outcome)) {
    const grows = mayGrow || bareOf(outcome) instanceof PartlyKnown;
    const part = partAt(evaluation, outcome, segment, grows, step, marks);
    if (always) return { outcome: mark(optionalOf(part), marks), mayGrow: grows };
    if (part.kind === "missing") throw missing(evaluation, outcome, segment, step, marks);
    return { outcome: markValue(part.value, marks), mayGrow: grows };
  }
  // After `.?`, every further part is optional too.
  const { state, secret } = outcome;
  marks.secret ||= secret;
  if (state.kind !== "present") return { outcome: mark(outcome, marks), mayGrow };
  const grows = mayGrow || bareOf(state.value) instanceof PartlyKnown;
  const part = partAt(evaluation, state.value, segment, grows, step, marks);
  return { outcome: mark(optionalOf(part), marks), mayGrow: grows };
}

function bareOf(value: Value): Value {
  return value instanceof Secret ? value.value : value;
}

function optionalOf(part: Part): Optional {
  if (part.kind === "found") return new Optional({ kind: "present", value: part.value });
  return new Optional({ kind: part.kind === "missing" ? "absent" : "unknown" });
}

/** Undefined: only known after apply. */
function segmentOf(
  evaluation: Evaluation,
  step: Step,
  variables: Variables,
  marks: Marks,
): string | number | undefined {
  if (step.kind === "member") return step.member.name;
  const index = evaluation.value(step.index, variables);
  if (isSealed(index)) throw sealedValue("An index", step.index);
  const bare = unmark(index, marks);
  if (typeof bare === "string" || typeof bare === "number") return bare;
  if (bare instanceof Unknown && mayBe(bare, ["string", "number"])) return undefined;
  throw wrongKind("An index", "a whole number or a string", bare, step.index);
}

function partAt(
  { budget }: Evaluation,
  of: Value,
  segment: string | number | undefined,
  grows: boolean,
  at: Range,
  marks: Marks,
): Part {
  if (isSealed(of)) throw sealedValue("A member or an item", at);
  const bare = unmark(of, marks);
  if (segment !== undefined)
    return partOf(bare, segment, { mayGrow: grows, secret: marks.secret }, at);
  // Any part of it may be meant, and any of them may be marked.
  budget.spend(1, at);
  const { secret, sealed } = measure(bare);
  marks.secret ||= secret;
  marks.sealed ||= sealed;
  if (bare === null || ["string", "number", "boolean"].includes(typeof bare))
    throw wrongKind("An index", "a list or a map to look in", bare, at);
  return { kind: "unknown", value: unknown };
}

function missing(
  { budget }: Evaluation,
  of: Value,
  segment: string | number | undefined,
  step: Step,
  { secret }: Marks,
): ExpressionError {
  const at = step.kind === "member" ? step.member : step.index;
  const isItem = typeof segment === "number";
  // The members of a secret value, and a key that is a secret, are secret too.
  if (secret) return new ExpressionError({ kind: isItem ? "no_such_item" : "no_such_member" }, at);
  if (isItem) {
    const length = Array.isArray(of) ? of.length : 0;
    return new ExpressionError({ kind: "no_such_item", index: segment, length }, at);
  }
  const name = segment ?? "";
  const candidates = isMap(of) ? Object.keys(of) : [];
  return new ExpressionError(
    { kind: "no_such_member", name, ...budget.nearest(name, candidates) },
    at,
  );
}
