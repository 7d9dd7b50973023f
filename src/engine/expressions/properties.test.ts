/** Laws that hold for every expression: of unknown values, of sealed values and of secrets. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, Unknown, unknown, unknownOf, type Value } from "#engine/value.ts";
import { countFor, testSeed } from "#test/support/depth.ts";
import { celExpression as expression } from "#test/support/generated-cel.ts";
import { Budget } from "./budget.ts";
import { check } from "./check.ts";
import { evaluate, type Evaluated } from "./evaluate.ts";
import { parse } from "./parse.ts";
import type { Scope } from "./scope.ts";

const runs = { numRuns: countFor({ ordinary: 2_000, deep: 200_000 }), seed: testSeed };

/** Keys of maps that are often special in JavaScript. */
const members = ["a", "b", "id", "constructor", "__proto__", "10"] as const;

const plainValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Value>(null, true, false, 0, 1, 2, -1, 1.5, "", "a", "b", "a,b", "%s", "1"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...members), tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** A value with holes, and the same value with other values in their places. */
interface Pair {
  open: Value;
  known: Value;
}

const same = (value: Value): Pair => ({ open: value, known: value });

const typed: fc.Arbitrary<Pair> = plainValue.map((known) => {
  const type =
    typeof known === "string"
      ? "string"
      : typeof known === "number"
        ? "number"
        : typeof known === "boolean"
          ? "boolean"
          : Array.isArray(known)
            ? "array"
            : known === null
              ? undefined
              : "object";
  return { open: type === undefined ? unknown : unknownOf(type), known };
});

const pair: fc.Arbitrary<Pair> = fc.letrec<{ pair: Pair }>((tie) => ({
  pair: fc.oneof(
    { maxDepth: 3 },
    plainValue.map(same),
    plainValue.map((known): Pair => ({ open: unknown, known })),
    typed,
    fc.array(tie("pair"), { maxLength: 3 }).map((items): Pair => ({
      open: items.map(({ open }) => open),
      known: items.map(({ known }) => known),
    })),
    fc
      .dictionary(fc.constantFrom(...members), tie("pair"), { maxKeys: 3 })
      .map((entries): Pair => ({
        open: Object.fromEntries(Object.entries(entries).map(([key, { open }]) => [key, open])),
        known: Object.fromEntries(Object.entries(entries).map(([key, { known }]) => [key, known])),
      })),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom(...members), tie("pair"), { maxKeys: 3 }),
        fc.dictionary(fc.constantFrom("later", "b", "id"), plainValue, { maxKeys: 2 }),
      )
      .map(([entries, later]): Pair => {
        const known = Object.entries(entries).map(([key, one]): [string, Value] => [
          key,
          one.known,
        ]);
        const open = Object.entries(entries).map(([key, one]): [string, Value] => [key, one.open]);
        return {
          open: new PartlyKnown(Object.fromEntries(open)),
          known: Object.fromEntries([...Object.entries(later), ...known]),
        };
      }),
  ),
})).pair;

function scopeOf(values: { [name: string]: Value }): Scope {
  return {
    lookup: (name) =>
      Object.hasOwn(values, name)
        ? { kind: "value", value: values[name] ?? null }
        : { kind: "unknown name" },
    names: () => Object.keys(values),
  };
}

interface Run {
  result: Evaluated;
  left: number;
}

function run(text: string, values: { [name: string]: Value }, units?: number): Run | undefined {
  const parsed = parse(text);
  if (parsed.kind === "problem") return undefined;
  const budget = new Budget(units);
  return { result: evaluate(parsed.node, scopeOf(values), budget), left: budget.left };
}

/** The parts of a value that are known agree with the same parts of the other value. */
function agrees(open: Value, known: Value): boolean {
  if (open instanceof Unknown) return true;
  if (open instanceof Secret)
    return agrees(open.value, known instanceof Secret ? known.value : known);
  if (known instanceof Secret) return agrees(open, known.value);
  if (open instanceof PartlyKnown)
    return (
      isPlainMap(known) &&
      Object.entries(open.known).every(
        ([key, value]) => Object.hasOwn(known, key) && agrees(value, known[key] ?? null),
      )
    );
  if (Array.isArray(open))
    return (
      Array.isArray(known) &&
      open.length === known.length &&
      open.every((item, at) => agrees(item, known[at] ?? null))
    );
  if (isPlainMap(open))
    return (
      isPlainMap(known) &&
      Object.keys(known).length === Object.keys(open).length &&
      Object.entries(open).every(
        ([key, value]) => Object.hasOwn(known, key) && agrees(value, known[key] ?? null),
      )
    );
  return Object.is(open, known);
}

function isPlainMap(value: Value): value is { [key: string]: Value } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown) &&
    !(value instanceof PartlyKnown) &&
    !(value instanceof Secret)
  );
}

describe("an unknown value", () => {
  it("never changes a known part of a result when it becomes known", { timeout: 600_000 }, () => {
    let compared = 0;
    fc.assert(
      fc.property(
        expression,
        fc.record({ open: pair, list: fc.array(pair, { maxLength: 3 }), map: pair, hidden: pair }),
        (text, pairs) => {
          const side = (of: "open" | "known") => ({
            open: pairs.open[of],
            list: pairs.list.map((one) => one[of]),
            map: pairs.map[of],
            hidden: new Secret(pairs.hidden[of], { sealed: false }),
            text: "a,b",
            number: 2,
          });
          const [before, after] = [run(text, side("open")), run(text, side("known"))];
          if (before === undefined || after === undefined) return;
          const [was, is] = [before.result, after.result];
          if (was.kind === "problem") {
            // A failure is certain: it stays, though another one may come first.
            expect(is.kind, `${text} ${JSON.stringify(was)} ${JSON.stringify(is)}`).toBe("problem");
            return;
          }
          if (is.kind === "problem") return;
          if (was.kind === "omitted") {
            if (was.certain) expect(is.kind, text).toBe("omitted");
            return;
          }
          if (was.value instanceof Unknown) return;
          if (was.value instanceof Secret && was.value.value instanceof Unknown) return;
          compared += 1;
          expect(is.kind, text).toBe("value");
          if (is.kind === "value")
            expect(
              agrees(was.value, is.value),
              `${text}: ${JSON.stringify(was.value)} ${JSON.stringify(is.value)}`,
            ).toBe(true);
        },
      ),
      runs,
    );
    expect(compared).toBeGreaterThan(100);
  });
});

/** Everything of a result that others than a provider see. */
function visible({ result, left }: Run): string {
  return JSON.stringify([shown(result), left]);
}

function shown(result: Evaluated): unknown {
  if (result.kind !== "value") return result;
  return shownValue(result.value);
}

function shownValue(value: Value): unknown {
  if (value instanceof Secret && value.sealed) return { sealed: value.value instanceof Unknown };
  if (value instanceof Secret) return { secret: shownValue(value.value) };
  if (value instanceof Unknown) return { unknown: value.types ?? "any" };
  if (value instanceof PartlyKnown) return { partly: shownValue(value.known) };
  if (Array.isArray(value)) return value.map(shownValue);
  if (isPlainMap(value)) return Object.entries(value).map(([key, item]) => [key, shownValue(item)]);
  return value;
}

describe("two sealed values", () => {
  it("cannot be told apart", { timeout: 600_000 }, () => {
    let [values, refused] = [0, 0];
    fc.assert(
      fc.property(expression, plainValue, plainValue, pair, (text, one, other, open) => {
        const side = (hidden: Value) => ({
          open: open.open,
          hidden: new Secret(hidden),
          list: ["a", new Secret(hidden), "b"],
          map: { a: new Secret(hidden), b: "b", id: 1 },
          text: "a,b",
          number: 2,
        });
        const [first, second] = [run(text, side(one)), run(text, side(other))];
        if (first === undefined || second === undefined) return;
        expect(visible(second), text).toBe(visible(first));
        if (first.result.kind === "problem" && first.result.problem.kind === "sealed_value")
          refused += 1;
        if (first.result.kind === "value" && /sealed/.test(visible(first))) values += 1;
      }),
      runs,
    );
    expect(values).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  });
});

describe("a secret value", () => {
  it("shows in no part of a result without a mark", { timeout: 600_000 }, () => {
    const canary = "canary-4f1c";
    fc.assert(
      fc.property(expression, pair, (text, open) => {
        const found = run(text, {
          open: open.open,
          hidden: new Secret(canary, { sealed: false }),
          list: ["a", new Secret({ a: canary }, { sealed: false })],
          map: { a: new Secret([canary], { sealed: false }), b: canary.slice(0, 0) },
          text: "a,b",
          number: 2,
        });
        if (found === undefined || /unsecret/.test(text)) return;
        if (found.result.kind !== "value") {
          expect(JSON.stringify(found.result), text).not.toContain(canary);
          return;
        }
        const marked = JSON.stringify(withoutSecrets(found.result.value));
        expect(marked, text).not.toContain("canary");
        expect(marked, text).not.toContain("CANARY");
      }),
      runs,
    );
  });
});

function withoutSecrets(value: Value): unknown {
  if (value instanceof Secret) return "[secret]";
  if (value instanceof PartlyKnown) return withoutSecrets(value.known);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (isPlainMap(value))
    return Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]);
  return value;
}

describe("the check", () => {
  it("finds wrong names and counts before any value is known", { timeout: 600_000 }, () => {
    let found = 0;
    const misspelt = fc.oneof(
      expression,
      fc
        .tuple(
          expression,
          fc.constantFrom("mpa", "hiden", "opne.a", "list.sise()", "keys(map)", "text.trim(1)"),
        )
        .map(([text, wrong]) => text.replace(/map|number|text|list/, wrong)),
    );
    fc.assert(
      fc.property(misspelt, plainValue, (text, open) => {
        const values = {
          open,
          map: { a: open },
          list: [open],
          hidden: "s",
          text: "a,b",
          number: 2,
        };
        const parsed = parse(text);
        if (parsed.kind === "problem") return;
        const problems = check(parsed.node, scopeOf({ ...values, open: unknown }), new Budget());
        for (const { start, end } of problems)
          expect(start >= 0 && start <= end && end <= text.length, text).toBe(true);
        const { result } = run(text, values) ?? {};
        if (result?.kind !== "problem") return;
        const { kind: code } = result.problem;
        if (code !== "unknown_name" && code !== "unknown_function" && code !== "wrong_count")
          return;
        found += 1;
        expect(
          problems.map((one) => one.kind),
          text,
        ).toContain(code);
      }),
      runs,
    );
    expect(found).toBeGreaterThan(20);
  });
});
