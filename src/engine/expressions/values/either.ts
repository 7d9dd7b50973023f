import type { Range } from "#engine/expressions/ast.ts";
import type { Budget } from "#engine/expressions/budget.ts";
import { Unknown, unknown, unknownOf, type Value, type ValueType } from "#engine/value.ts";
import { equal, typeOf } from "./equality.ts";
import { measure } from "./measure.ts";
import { markValue, noMarks, Omission, Optional, type Outcome, unmark } from "./outcome.ts";

/** The knowledge about a result that is one of two. */
export function either(a: Outcome, b: Outcome, at: Range, budget: Budget): Outcome {
  if (a instanceof Omission || b instanceof Omission) {
    const omissions = [a, b].filter((one) => one instanceof Omission);
    return new Omission({
      certain: omissions.length === 2 && omissions.every(({ certain }) => certain),
      secret: omissions.some(({ secret }) => secret),
    });
  }
  if (a instanceof Optional && b instanceof Optional)
    return new Optional({ kind: "unknown" }, a.secret || b.secret);
  // An optional or a value: nothing is known of it.
  const [one, other] = [a, b].map((side) =>
    side instanceof Optional ? markValue(unknown, { secret: side.secret, sealed: false }) : side,
  );
  return eitherValue(one ?? unknown, other ?? unknown, at, budget);
}

function eitherValue(a: Value, b: Value, at: Range, budget: Budget): Value {
  const [ofA, ofB] = [measure(a), measure(b)];
  const marks = { secret: ofA.secret || ofB.secret, sealed: ofA.sealed || ofB.sealed };
  // A comparison, and the types, would tell a sealed value.
  if (marks.sealed) return markValue(unknown, marks);
  budget.spendOnCharacters(Math.min(ofA.size, ofB.size), at);
  if (equal(a, b) === true) return markValue(unmark(a, noMarks()), marks);
  const [typesOfA, typesOfB] = [typesOf(a), typesOf(b)];
  if (typesOfA === undefined || typesOfB === undefined) return markValue(unknown, marks);
  return markValue(unknownOf(...new Set([...typesOfA, ...typesOfB])), marks);
}

function typesOf(value: Value): readonly ValueType[] | undefined {
  const bare = unmark(value, noMarks());
  if (bare instanceof Unknown) return bare.types;
  const type = typeOf(bare);
  return type === undefined ? undefined : [type];
}
