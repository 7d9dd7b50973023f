import {
  isMap,
  mayBe,
  PartlyKnown,
  Secret,
  Unknown,
  type Value,
  type ValueType,
} from "#engine/value.ts";

/** The type of a known value without a mark; undefined: null. */
export function typeOf(value: Value): ValueType | undefined {
  if (typeof value === "string") return "string";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (value === null || value instanceof Unknown || value instanceof Secret) return undefined;
  return Array.isArray(value) ? "array" : "object";
}

/** Whether two values are equal, secrets by their content. Undefined: only known after apply. */
export function equal(a: Value, b: Value): boolean | undefined {
  if (a instanceof Secret) return equal(a.value, b);
  if (b instanceof Secret) return equal(a, b.value);
  if (a instanceof Unknown) return mayEqual(a, b) ? undefined : false;
  if (b instanceof Unknown) return mayEqual(b, a) ? undefined : false;
  if (a instanceof PartlyKnown) return equalPartly(a, b);
  if (b instanceof PartlyKnown) return equalPartly(b, a);
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    return all(a.map((item, index) => equal(item, b[index] ?? null)));
  }
  if (isMap(a) && isMap(b)) {
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length || keys.some((key) => !Object.hasOwn(b, key)))
      return false;
    return all(keys.map((key) => equal(a[key] ?? null, b[key] ?? null)));
  }
  return a === b;
}

function mayEqual(unknown: Unknown, other: Exclude<Value, Secret>): boolean {
  if (other instanceof Unknown)
    return unknown.types === undefined || other.types === undefined || mayBe(other, unknown.types);
  const type = typeOf(other);
  return type === undefined || mayBe(unknown, [type]);
}

/** Keys that are not known yet may be among those of the other map. */
function equalPartly(
  { known }: PartlyKnown,
  other: Exclude<Value, Unknown | Secret>,
): boolean | undefined {
  const otherKnown = other instanceof PartlyKnown ? other.known : other;
  if (!isMap(otherKnown)) return false;
  for (const [key, value] of Object.entries(known)) {
    const otherValue = Object.hasOwn(otherKnown, key) ? otherKnown[key] : undefined;
    if (
      otherValue === undefined
        ? !(other instanceof PartlyKnown)
        : equal(value, otherValue) === false
    )
      return false;
  }
  return undefined;
}

function all(results: readonly (boolean | undefined)[]): boolean | undefined {
  if (results.includes(false)) return false;
  return results.includes(undefined) ? undefined : true;
}

/** Negative if `a` comes first. Texts are ordered by code points, as in CEL, and not by UTF-16 units. */
export function order(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && a.charCodeAt(index) === b.charCodeAt(index)) index += 1;
  if (index === length) return a.length - b.length;
  const [x, y] = [a.charCodeAt(index), b.charCodeAt(index)];
  return rank(x) - rank(y);
}

/** Surrogates, which stand for the code points above all others, come after every other unit. */
function rank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}
