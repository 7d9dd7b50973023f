import { Secret, Unknown, type Value } from "#engine/value.ts";

/** The value of `a.?b`: it may be absent. Exists only while an expression is evaluated. */
export class Optional {
  readonly kind = "optional";
  readonly state: OptionalState;
  /** Whether it has a value was decided by a secret. */
  readonly secret: boolean;

  constructor(state: OptionalState, secret = false) {
    this.state = state;
    this.secret = secret;
  }
}

/** `unknown`: only known after apply. */
export type OptionalState =
  | { kind: "present"; value: Value }
  | { kind: "absent" }
  | { kind: "unknown" };

/** The result of `omit()`: the property, item or entry is left out. */
export class Omission {
  readonly kind = "omission";
  /** False: only known after apply whether it is left out. */
  readonly certain: boolean;
  /** Whether it is left out was decided by a secret. */
  readonly secret: boolean;

  constructor({ certain, secret }: { certain: boolean; secret: boolean }) {
    this.certain = certain;
    this.secret = secret;
  }
}

export type Outcome = Value | Optional | Omission;

export function isValue(outcome: Outcome): outcome is Value {
  return !(outcome instanceof Optional) && !(outcome instanceof Omission);
}

/** The marks of a computation: those of the values that it has used so far. */
export interface Marks {
  secret: boolean;
  sealed: boolean;
}

export function noMarks(): Marks {
  return { secret: false, sealed: false };
}

/** The value without its outermost mark, which is added to `marks`. */
export function unmark(value: Value, marks: Marks): Value {
  if (!(value instanceof Secret)) return value;
  marks.secret = true;
  marks.sealed ||= value.sealed;
  return value.value;
}

export function markValue(value: Value, marks: Marks): Value {
  return marks.secret ? new Secret(value, { sealed: marks.sealed }) : value;
}

export function mark(outcome: Outcome, marks: Marks): Outcome {
  if (!marks.secret) return outcome;
  if (outcome instanceof Omission) return new Omission({ certain: outcome.certain, secret: true });
  if (!(outcome instanceof Optional)) return markValue(outcome, marks);
  const { state } = outcome;
  if (state.kind !== "present") return new Optional(state, true);
  return new Optional({ kind: "present", value: markValue(state.value, marks) }, true);
}

/** Nothing is known of it, so it may be an optional too: a result of an unknown condition. */
export function isOpen(outcome: Outcome): boolean {
  const bare = outcome instanceof Secret ? outcome.value : outcome;
  return bare instanceof Unknown && bare.types === undefined;
}

/** The value itself is sealed, not only a part of it. */
export function isSealed(value: Value): boolean {
  return value instanceof Secret && value.sealed;
}
