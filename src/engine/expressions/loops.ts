/** The macros of CEL that run over a list or a map. */
import {
  isMap,
  mayBe,
  PartlyKnown,
  Unknown,
  unknown,
  unknownOf,
  type Value,
  type ValueMap,
  type ValueType,
} from "#engine/value.ts";
import type { LoopKind, Node, NodeOf } from "./ast.ts";
import { type Evaluation, requireValue } from "./evaluation.ts";
import { wrongKind } from "./operators.ts";
import { ExpressionError } from "./problem.ts";
import type { Variables } from "./scope.ts";
import { measure } from "./values/measure.ts";
import {
  isSealed,
  isValue,
  type Marks,
  markValue,
  noMarks,
  Omission,
  unmark,
} from "./values/outcome.ts";
import { sealedValue } from "./values/sealed-value.ts";
import { sortedKeys } from "./values/sorted-keys.ts";

type Loop = NodeOf<"loop">;

/** A key of a map or an index of a list, with its value. */
interface Turn {
  key: string | number;
  value: Value;
}

/** The one variable of a loop: an item of a list, a key of a map. */
function itemOf({ key, value }: Turn): Value {
  return typeof key === "number" ? value : key;
}

export const resultTypes: { readonly [Kind in LoopKind]: ValueType } = {
  all: "boolean",
  exists: "boolean",
  exists_one: "boolean",
  filter: "array",
  map: "array",
  transformList: "array",
  transformMap: "object",
  transformMapEntry: "object",
};

export function evaluateLoop(evaluation: Evaluation, node: Loop, variables: Variables): Value {
  const marks = noMarks();
  const range = rangeOf(evaluation, node, variables, marks);
  if (range instanceof Unknown) return overUnknown(evaluation, node, variables, marks);
  const isPartly = range instanceof PartlyKnown;
  const turns = turnsOf(evaluation, isPartly ? range.known : range, node);
  const run = new Run(evaluation, node, variables, marks, isPartly);
  const result = resultTypes[node.loop] === "boolean" ? run.decide(turns) : run.collect(turns);
  return markValue(result, marks);
}

/** The list or map that the loop runs over, without its mark. */
export function rangeOf(
  evaluation: Evaluation,
  { loop, of }: Loop,
  variables: Variables,
  marks: Marks,
): Unknown | PartlyKnown | Value[] | ValueMap {
  const subject = `\`${loop}\``;
  const given = evaluation.value(of, variables);
  if (isSealed(given)) throw sealedValue(subject, of);
  const range = unmark(given, marks);
  if (range instanceof Unknown && mayBe(range, ["array", "object"])) return range;
  if (range instanceof PartlyKnown || Array.isArray(range) || isMap(range)) return range;
  throw wrongKind(subject, "a list or a map", range, of);
}

function turnsOf({ budget }: Evaluation, range: Value[] | ValueMap, node: Loop): Turn[] {
  if (Array.isArray(range)) {
    budget.spend(range.length, node.of);
    return range.map((value, key) => ({ key, value }));
  }
  const keys = sortedKeys(range);
  budget.spend(2 * keys.length, node.of);
  return keys.map((key) => ({ key, value: range[key] ?? null }));
}

/** One turn with an unknown item shows whether the loop decides by a sealed value. */
function overUnknown(
  evaluation: Evaluation,
  node: Loop,
  variables: Variables,
  marks: Marks,
): Value {
  let inner = variables;
  for (const { name } of node.variables) inner = { name, value: unknown, outer: inner };
  const isTested = resultTypes[node.loop] === "boolean" || node.loop === "filter";
  const tests = [
    ...(node.filter === undefined ? [] : [node.filter]),
    ...(isTested ? [node.body] : []),
  ];
  for (const test of tests) evaluation.condition(test, `\`${node.loop}\``, inner, marks);
  if (!isTested) {
    const body = evaluation.attempt(node.body, inner);
    if (!(body instanceof ExpressionError) && isValue(body)) {
      if (node.loop === "transformMapEntry" && isSealed(body)) throw sealedEntries(node);
      const { secret, sealed } = measure(body);
      marks.secret ||= secret;
      marks.sealed ||= sealed;
    }
  }
  return markValue(unknownOf(resultTypes[node.loop]), marks);
}

/**
 * The map that a turn of `transformMapEntry` makes, without its mark. Its keys become keys of the result, so it cannot be
 * sealed itself.
 */
export function entriesOf(made: Value, node: Loop, marks: Marks): Unknown | PartlyKnown | ValueMap {
  if (isSealed(made)) throw sealedEntries(node);
  const entries = unmark(made, marks);
  if (entries instanceof Unknown && mayBe(entries, ["object"])) return entries;
  if (entries instanceof PartlyKnown || isMap(entries)) return entries;
  throw wrongKind("`transformMapEntry`", "a map, as in `{key: value}`", entries, node.body);
}

function sealedEntries({ body }: Loop): ExpressionError {
  return sealedValue("`transformMapEntry`", body);
}

class Run {
  readonly #evaluation: Evaluation;
  readonly #node: Loop;
  readonly #variables: Variables;
  readonly #marks: Marks;
  /** Of a map of which only some keys are known. */
  readonly #partly: boolean;

  constructor(
    evaluation: Evaluation,
    node: Loop,
    variables: Variables,
    marks: Marks,
    partly: boolean,
  ) {
    this.#evaluation = evaluation;
    this.#node = node;
    this.#variables = variables;
    this.#marks = marks;
    this.#partly = partly;
  }

  /** One turn decides `all` and `exists`, though others are unknown or fail. `exists_one` needs them all. */
  decide(turns: readonly Turn[]): Value {
    const { loop, body } = this.#node;
    let count = 0;
    let open = this.#partly;
    let failure: ExpressionError | undefined;
    for (const turn of turns) {
      const result = this.#condition(body, this.#bind(turn));
      if (result instanceof ExpressionError) failure ??= result;
      else if (result === undefined) open = true;
      else if (result) count += 1;
      if (loop === "all" && result === false) return false;
      if (loop === "exists" && result === true) return true;
    }
    if (loop === "exists_one") {
      if (failure !== undefined) throw failure;
      if (count > 1) return false;
      return open ? unknownOf("boolean") : count === 1;
    }
    if (open) return unknownOf("boolean");
    if (failure !== undefined) throw failure;
    return loop === "all";
  }

  collect(turns: readonly Turn[]): Value {
    const { loop, filter, body } = this.#node;
    const condition = loop === "filter" ? body : filter;
    const entries: [key: string, value: Value][] = [];
    const keys = new Set<string>();
    let open = this.#partly;
    for (const turn of turns) {
      const variables = this.#bind(turn);
      const kept = condition === undefined ? true : this.#condition(condition, variables);
      if (kept instanceof ExpressionError) throw kept;
      if (kept === undefined) open = true;
      if (kept !== true) continue;
      const made = loop === "filter" ? { value: itemOf(turn) } : this.#body(variables);
      if (made === "unknown") open = true;
      else if (made === "left out") continue;
      else if (loop === "transformMapEntry") {
        const some = entriesOf(made.value, this.#node, this.#marks);
        if (!isMap(some)) open = true;
        if (!(some instanceof Unknown))
          this.#addEntries(some instanceof PartlyKnown ? some.known : some, keys, entries);
      } else entries.push([String(turn.key), made.value]);
    }
    const { budget } = this.#evaluation;
    if (resultTypes[loop] === "object") {
      const known = budget.spendOnMap(Object.fromEntries(entries), this.#node);
      return open ? new PartlyKnown(known) : known;
    }
    const values = entries.map(([, value]) => value);
    const made = budget.spendOnList(values, this.#node);
    if (!open) return made;
    const { secret, sealed } = measure(made);
    return markValue(unknownOf("array"), { secret, sealed });
  }

  #addEntries(made: ValueMap, keys: Set<string>, entries: [key: string, value: Value][]): void {
    const { body } = this.#node;
    for (const [key, value] of Object.entries(made)) {
      this.#evaluation.budget.spend(2, body);
      if (keys.has(key))
        throw new ExpressionError(
          this.#marks.secret ? { kind: "duplicate_key" } : { kind: "duplicate_key", key },
          body,
        );
      keys.add(key);
      entries.push([key, value]);
    }
  }

  /** `unknown`: only known after apply whether it is left out. */
  #body(variables: Variables): { value: Value } | "left out" | "unknown" {
    const outcome = this.#evaluation.run(this.#node.body, variables);
    if (!(outcome instanceof Omission)) return { value: requireValue(outcome, this.#node.body) };
    this.#marks.secret ||= outcome.secret;
    return outcome.certain ? "left out" : "unknown";
  }

  #condition(node: Node, variables: Variables): boolean | undefined | ExpressionError {
    return this.#evaluation.condition(node, `\`${this.#node.loop}\``, variables, this.#marks);
  }

  #bind(turn: Turn): Variables {
    this.#evaluation.budget.spend(1, this.#node);
    const [first, second] = this.#node.variables;
    const outer = this.#variables;
    if (first === undefined) return outer;
    if (second === undefined) return { name: first.name, value: itemOf(turn), outer };
    const key: Variables = { name: first.name, value: turn.key, outer };
    return { name: second.name, value: turn.value, outer: key };
  }
}
