import { sha1 } from "@noble/hashes/legacy.js";
import {
  hasSealed,
  hasUnknown,
  isMap,
  mayBe,
  PartlyKnown,
  reveal,
  Secret,
  secretLike,
  Unknown,
  unknown,
  unknownOf,
  type Value,
  type ValueType,
} from "#engine/value.ts";
import { canonicalJson } from "#platform/json.ts";
import { kindOf } from "./access.ts";
import { ResolveError } from "./resolve-error.ts";
import type { BuiltIn, Place } from "./template.ts";
import { MAX_EXPANDED, tooLarge } from "./value-limit.ts";

/** The argument of a function, in words and as types, and the type of its result before apply. */
interface Form {
  takes: string;
  types: readonly ValueType[];
  gives: Unknown;
}

const forms = {
  text: { takes: "a string", types: ["string"], gives: unknownOf("string") },
  length: {
    takes: "a list, a map or a string",
    types: ["array", "object", "string"],
    gives: unknownOf("integer"),
  },
  singleOrNone: { takes: "a list", types: ["array"], gives: unknown },
  select: pair("an index and a list", unknown),
  join: pair("a separator and a list", unknownOf("string")),
  split: pair("a separator and a string", unknownOf("array")),
} as const satisfies { [name: string]: Form };

function pair(items: string, gives: Unknown): Form {
  return { takes: `a list of two items: ${items}`, types: ["array"], gives };
}

/**
 * Functions that fail for some contents of an argument of the right kind. With a sealed argument, the failure of a plan
 * would reveal its content bit by bit.
 */
const tellContent: ReadonlySet<BuiltIn> = new Set(["split", "fromBase64", "singleOrNone"]);

/**
 * The result of a built-in function. An unknown argument gives an unknown result and a secret one a secret result, also
 * combined. Only `unsecret` removes the mark, and only from a value that is not sealed. Throws `ResolveError` for an
 * argument of the wrong kind, so far as the kind is known, and for a sealed argument that the function would reveal.
 */
export function callBuiltIn(fn: BuiltIn, argument: Value, place: Place): Value {
  const call = new Call(fn, place);
  if (tellContent.has(fn) && hasSealed(argument)) throw sealedArgument(fn, "a sealed value", place);
  switch (fn) {
    case "secret":
      return new Secret(argument, { sealed: false });
    case "unsecret":
      return unmarked(argument);
    case "length":
      return call.onOuter(argument, forms.length, (value) => call.length(value));
    case "select":
      return call.select(argument);
    case "singleOrNone":
      return call.onOuter(argument, forms.singleOrNone, (value) => call.singleOrNone(value));
    case "join":
      return call.join(argument);
    case "split":
      return call.split(argument);
    case "toJSON":
      return call.onAll(argument, unknownOf("string"), (value) => canonicalJson(reveal(value)));
    case "toBase64":
      return call.onText(argument, (text) => toBase64(new TextEncoder().encode(text)));
    case "fromBase64":
      return call.onText(argument, (text) => call.fromBase64(text));
    case "sha1":
      return call.onText(argument, (text) => toHex(sha1(new TextEncoder().encode(text))));
  }
}

/** The types of values that strings may contain. */
export const textTypes: readonly ValueType[] = ["string", "number", "boolean"];

/** A value's form inside a string. Undefined unless it is a string, number or boolean. */
export function asText(value: Value): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

class Call {
  readonly #fn: BuiltIn;
  readonly #place: Place;

  constructor(fn: BuiltIn, place: Place) {
    this.#fn = fn;
    this.#place = place;
  }

  #fail(problem: string, hint?: string): never {
    throw new ResolveError("invalid_argument", `fn::${this.#fn} ${problem}`, this.#place, hint);
  }

  #wrongKind({ takes }: Form, value: Value): never {
    return this.#fail(`takes ${takes}, not ${kindOf(value)}.`);
  }

  /** Applies `work` to the outermost value; marks on its parts stay on the parts. */
  onOuter(value: Value, form: Form, work: (known: Value) => Value): Value {
    if (value instanceof Secret) return new Secret(this.onOuter(value.value, form, work), value);
    if (!isUnknown(value)) return work(value);
    return mayBe(value, form.types) ? secretLike(form.gives, value) : this.#wrongKind(form, value);
  }

  /** Applies `work` to the whole value: the result is unknown or secret if any part is. */
  onAll(value: Value, gives: Unknown, work: (known: Value) => Value): Value {
    return secretLike(hasUnknown(value) ? gives : work(withoutSecrets(value)), value);
  }

  onText(value: Value, work: (text: string) => string): Value {
    return this.onOuter(value, forms.text, (known) =>
      typeof known === "string" ? work(known) : this.#wrongKind(forms.text, known),
    );
  }

  length(value: Value): number {
    if (typeof value === "string") return Array.from(value).length;
    if (Array.isArray(value)) return value.length;
    if (isMap(value)) return Object.keys(value).length;
    return this.#wrongKind(forms.length, value);
  }

  singleOrNone(value: Value): Value {
    if (!Array.isArray(value)) return this.#wrongKind(forms.singleOrNone, value);
    if (value.length > 1)
      return this.#fail("takes a list of at most one item; this list has more.");
    return value[0] ?? null;
  }

  select(argument: Value): Value {
    return this.#pair(argument, forms.select, (index, list) => {
      if (hasSealed(index)) throw sealedArgument(this.#fn, "a sealed index", this.#place);
      const at = unwrapSecret(index);
      const items = unwrapSecret(list);
      const isIndex = typeof at === "number" && Number.isInteger(at) && at >= 0;
      if (isUnknown(at) ? !mayBe(at, ["number"]) : !isIndex)
        return this.#fail("takes an integer of 0 or more as its index.");
      this.#checkList(items);
      // The item is not known yet, and may be secret.
      if (typeof at !== "number" || !Array.isArray(items)) return secretLike(unknown, index, list);
      const item = items[at];
      if (item === undefined) return this.#fail("was given an index past the end of the list.");
      const marks = [index, list].filter((one) => one instanceof Secret);
      return marks.length === 0
        ? item
        : new Secret(item, { sealed: marks.some(({ sealed }) => sealed) });
    });
  }

  join(argument: Value): Value {
    return this.#pair(argument, forms.join, (separator, list) => {
      const items = unwrapSecret(list);
      this.#checkList(items);
      this.#checkSeparator(separator);
      for (const item of Array.isArray(items) ? items : []) this.#checkJoined(item);
      return this.onAll([separator, list], forms.join.gives, (known) => {
        const [between, texts] = Array.isArray(known) ? known : [];
        const whole = (Array.isArray(texts) ? texts : []).map((text) => asText(text) ?? "");
        const separator = typeof between === "string" ? between : "";
        let length = separator.length * Math.max(0, whole.length - 1);
        for (const text of whole) length += text.length;
        if (length > MAX_EXPANDED) throw tooLarge(this.#place);
        return whole.join(separator);
      });
    });
  }

  split(argument: Value): Value {
    return this.#pair(argument, forms.split, (separator, text) => {
      const whole = unwrapSecret(text);
      if (isUnknown(whole) ? !mayBe(whole, ["string"]) : typeof whole !== "string")
        return this.#fail(`takes a string as its second item, not ${kindOf(whole)}.`);
      this.#checkSeparator(separator);
      return this.onAll([separator, text], forms.split.gives, (known) => {
        const [between, source] = Array.isArray(known) ? known : [];
        if (typeof source !== "string" || typeof between !== "string") return [];
        return between === "" ? Array.from(source) : source.split(between);
      });
    });
  }

  #checkList(items: Value): void {
    if (isUnknown(items) ? mayBe(items, ["array"]) : Array.isArray(items)) return;
    this.#fail(`takes a list as its second item, not ${kindOf(items)}.`);
  }

  #checkSeparator(separator: Value): void {
    const between = unwrapSecret(separator);
    if (isUnknown(between) ? !mayBe(between, ["string"]) : typeof between !== "string")
      this.#fail(`takes a string as its separator, not ${kindOf(between)}.`);
  }

  #checkJoined(item: Value): void {
    const inner = unwrapSecret(item);
    if (isUnknown(inner) ? mayBe(inner, textTypes) : asText(inner) !== undefined) return;
    this.#fail(
      `joins strings, numbers and booleans; one item is ${kindOf(inner)}.`,
      "Convert it to a string first, for example with fn::toJSON.",
    );
  }

  #pair(argument: Value, form: Form, work: (first: Value, second: Value) => Value): Value {
    return this.onOuter(argument, form, (value) => {
      const [first, second] = Array.isArray(value) && value.length === 2 ? value : [];
      if (first === undefined || second === undefined) return this.#fail(`takes ${form.takes}.`);
      return work(first, second);
    });
  }

  fromBase64(text: string): string {
    let bytes: Uint8Array;
    try {
      bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    } catch {
      return this.#fail("was given a string that is not Base64.");
    }
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return this.#fail("was given bytes that are not UTF-8 text.", "Keep binary data in Base64.");
    }
  }
}

function unwrapSecret(value: Value): Value {
  return value instanceof Secret ? value.value : value;
}

/** Known only after apply, as a whole or in part. */
function isUnknown(value: Value): value is Unknown | PartlyKnown {
  return value instanceof Unknown || value instanceof PartlyKnown;
}

function sealedArgument(fn: BuiltIn, what: string, place: Place): ResolveError {
  return new ResolveError(
    "sealed_value",
    `fn::${fn} cannot take ${what}: whether it succeeds would tell what the value is.`,
    place,
    "Pass the part that you need as a config value of its own.",
  );
}

/** The value without the marks of the template itself; sealed values stay secret. */
function unmarked(value: Value): Value {
  if (value instanceof Secret) return value.sealed ? value : unmarked(value.value);
  if (value instanceof PartlyKnown) {
    const known = unmarked(value.known);
    return isMap(known) ? new PartlyKnown(known) : value;
  }
  if (Array.isArray(value)) return value.map(unmarked);
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, unmarked(member)]),
    );
  return value;
}

function withoutSecrets(value: Value): Value {
  if (value instanceof Secret) return withoutSecrets(value.value);
  if (value instanceof PartlyKnown) {
    const known = withoutSecrets(value.known);
    return isMap(known) ? new PartlyKnown(known) : value;
  }
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withoutSecrets(member)]),
    );
  return value;
}

const CHUNK = 8_192;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
