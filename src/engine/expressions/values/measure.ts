/**
 * Facts about values that are needed again and again. They are computed once for each list and map, because shared parts
 * (`cel.bind(z, [z, z], …)`) would otherwise be walked as often as they occur.
 */
import { PartlyKnown, Secret, Unknown, type Value, type ValueMap } from "#engine/value.ts";

export interface Measure {
  /** About the characters of the value as JSON. A shared part counts each time it occurs. */
  readonly size: number;
  /** Levels of lists and maps. */
  readonly depth: number;
  /** A part of it is known only after apply. */
  readonly unknown: boolean;
  readonly secret: boolean;
  readonly sealed: boolean;
}

/**
 * A sealed value counts as this much, whatever it is: work and limits that depended on it would tell it. A longer one
 * counts as the next power of two.
 */
const SEALED: Pick<Measure, "size" | "depth"> = { size: 256, depth: 32 };
/** Requests and clouds give no deeper ones, so that only a template which wraps sealed values again makes one. */
const MAX_SEALED_DEPTH = 100;

function sizeOfSealed(size: number): number {
  return Math.max(SEALED.size, 2 ** Math.ceil(Math.log2(Math.max(1, size))));
}

/** Smaller values are walked again: that takes less than remembering them. */
const LEAST_KEPT = 16;

const plain: Measure = { size: 4, depth: 0, unknown: false, secret: false, sealed: false };
const unknownMeasure: Measure = { ...plain, unknown: true };
const measures = new WeakMap<object, Measure>();

export function measure(value: Value): Measure {
  if (typeof value === "string") return { ...plain, size: value.length + 2 };
  if (typeof value !== "object" || value === null) return plain;
  if (value instanceof Unknown) return unknownMeasure;
  const known = measures.get(value);
  if (known !== undefined) return known;
  const measured = measureObject(value);
  if (measured.size >= LEAST_KEPT || value instanceof Secret) measures.set(value, measured);
  return measured;
}

function measureObject(value: Exclude<Value, null | boolean | number | string | Unknown>): Measure {
  if (value instanceof Secret) {
    const inner = measure(value.value);
    if (!value.sealed) return { ...inner, secret: true };
    return {
      size: sizeOfSealed(inner.size),
      depth: inner.depth > MAX_SEALED_DEPTH ? inner.depth : SEALED.depth,
      unknown: inner.unknown,
      secret: true,
      sealed: true,
    };
  }
  if (value instanceof PartlyKnown) return { ...measure(value.known), unknown: true };
  return Array.isArray(value)
    ? measureParts(value.length, (index) => value[index] ?? null)
    : measureMembers(value);
}

function measureMembers(map: ValueMap): Measure {
  const keys = Object.keys(map);
  const measured = measureParts(keys.length, (index) => map[keys[index] ?? ""] ?? null);
  let size = measured.size;
  for (const key of keys) size += key.length + 3;
  return { ...measured, size };
}

function measureParts(count: number, part: (index: number) => Value): Measure {
  let size = 2;
  let depth = 0;
  let [unknown, secret, sealed] = [false, false, false];
  for (let index = 0; index < count; index += 1) {
    const item = part(index);
    if (typeof item === "string") size += item.length + 3;
    else if (typeof item !== "object" || item === null) size += plain.size + 1;
    else {
      const inner = measure(item);
      size += inner.size + 1;
      depth = Math.max(depth, inner.depth);
      unknown ||= inner.unknown;
      secret ||= inner.secret;
      sealed ||= inner.sealed;
    }
  }
  return { size, depth: depth + 1, unknown, secret, sealed };
}

/** How much longer than its measure a value can be as JSON: each character of a text may be an escape. */
const MAX_ESCAPE = 6;

/** The sealed result of a computation. Its size follows from the sizes of its sources and not from its content. */
export function sealedResult(content: Value, size: number): Secret {
  const result = new Secret(content, { sealed: true });
  const { unknown, depth, size: real } = measure(content);
  measures.set(result, {
    size: sizeOfSealed(Math.max(size, Math.ceil(real / MAX_ESCAPE))),
    depth: Math.max(SEALED.depth, depth),
    unknown,
    secret: true,
    sealed: true,
  });
  return result;
}
