/**
 * The values of a template: plain JSON plus markers for a value known only after apply (`Unknown`, `PartlyKnown`)
 * and for a secret (`Secret`). The markers are classes, so no JSON from a template or a provider can be
 * mistaken for one.
 */
import type { Json } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";

export type ValueType = "string" | "integer" | "number" | "boolean" | "object" | "array";

/** Known only after apply: an output of a resource that the run still has to create or change. */
export class Unknown {
  readonly kind = "unknown";
  /** It will have one of these types; undefined: any. */
  readonly types: readonly ValueType[] | undefined;
  constructor(types?: readonly ValueType[]) {
    this.types = types;
  }
}

/** Of any type. */
export const unknown = new Unknown();

/** Of one of these types. */
export function unknownOf(...types: ValueType[]): Unknown {
  return new Unknown(types);
}

/**
 * A value that only a provider receives; everywhere else it is shown as `[secret]`. It is `sealed` if the template
 * received it as a secret: the template may pass it to a provider and never show it. A secret that the template made
 * itself is not sealed, and `fn::unsecret` shows it. Decision 0052.
 */
export class Secret {
  readonly kind = "secret";
  readonly value: Value;
  readonly sealed: boolean;
  constructor(value: Value, { sealed }: { sealed: boolean } = { sealed: true }) {
    this.value = value instanceof Secret ? value.value : value;
    this.sealed = sealed || (value instanceof Secret && value.sealed);
  }
}

/**
 * An object of which only some keys, such as its inputs, are known before apply. Every other key is unknown. Exists
 * only while planning; never stored or sent.
 */
export class PartlyKnown {
  readonly kind = "partly";
  readonly known: ValueMap;
  /** The types of other keys, where they are known. */
  readonly later: { readonly [key: string]: Unknown };
  constructor(known: ValueMap, later: { readonly [key: string]: Unknown } = {}) {
    this.known = known;
    this.later = later;
  }
}

export type Value =
  | null
  | boolean
  | number
  | string
  | Unknown
  | Secret
  | PartlyKnown
  | Value[]
  | { [key: string]: Value };

export type ValueMap = { [key: string]: Value };

/** Shown in place of a value that is known only after apply. */
export const KNOWN_AFTER_APPLY = "[known after apply]";

export function isMap(value: Value | undefined): value is ValueMap {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown) &&
    !(value instanceof Secret) &&
    !(value instanceof PartlyKnown)
  );
}

/** Whether a value that is known only after apply, as a whole or in part, may have one of these types. */
export function mayBe(value: Unknown | PartlyKnown, types: readonly ValueType[]): boolean {
  if (value instanceof PartlyKnown) return types.includes("object");
  const number = (type: ValueType): ValueType => (type === "integer" ? "number" : type);
  const wanted = new Set(types.map(number));
  return value.types === undefined || value.types.some((type) => wanted.has(number(type)));
}

/** True when any part of the value is known only after apply. */
export function hasUnknown(value: Value): boolean {
  if (value instanceof Unknown || value instanceof PartlyKnown) return true;
  if (value instanceof Secret) return hasUnknown(value.value);
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isMap(value) && Object.values(value).some(hasUnknown);
}

/** True when any part of the value is secret. */
export function hasSecret(value: Value): boolean {
  if (value instanceof Secret) return true;
  if (value instanceof PartlyKnown) return hasSecret(value.known);
  if (Array.isArray(value)) return value.some(hasSecret);
  return isMap(value) && Object.values(value).some(hasSecret);
}

/** True when any part of the value is a sealed secret, also one inside a secret of the template itself. */
export function hasSealed(value: Value): boolean {
  if (value instanceof Secret) return value.sealed || hasSealed(value.value);
  if (value instanceof PartlyKnown) return hasSealed(value.known);
  if (Array.isArray(value)) return value.some(hasSealed);
  return isMap(value) && Object.values(value).some(hasSealed);
}

/** The result of a computation over `sources`: a secret if any of them has a secret part, and sealed likewise. */
export function secretLike(result: Value, ...sources: readonly Value[]): Value {
  if (!sources.some(hasSecret)) return result;
  return new Secret(result, { sealed: sources.some(hasSealed) });
}

function mapValue(value: Value, leaf: (marker: Unknown | Secret | PartlyKnown) => Json): Json {
  if (value instanceof Unknown || value instanceof Secret || value instanceof PartlyKnown)
    return leaf(value);
  if (Array.isArray(value)) return value.map((item) => mapValue(item, leaf));
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapValue(item, leaf)]),
    );
  return value;
}

/** The plain JSON a provider receives. Throws when a part is still unknown: partial values are never sent. */
export function reveal(value: Value): Json {
  return mapValue(value, (marker) => {
    if (marker instanceof Secret) return reveal(marker.value);
    throw new Error("Cannot send a value that is known only after apply");
  });
}

/** Plain JSON with secrets, and with unknown values by their types, for an internal comparison. */
export function expose(value: Value): Json {
  return mapValue(value, (marker) => {
    if (marker instanceof Secret) return { secret: expose(marker.value) };
    if (marker instanceof PartlyKnown) return { partly: expose(marker.known) };
    return { unknown: [...(marker.types ?? [])] };
  });
}

/** The plain JSON that plans, logs, events and responses may show. */
export function redact(value: Value): Json {
  return mapValue(value, (marker) => (marker instanceof Secret ? MASK : KNOWN_AFTER_APPLY));
}
