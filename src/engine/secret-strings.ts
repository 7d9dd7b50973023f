import { canonicalJson } from "#platform/json.ts";
import { own } from "./template/own.ts";
import {
  hasSecret,
  hasUnknown,
  isMap,
  PartlyKnown,
  reveal,
  Secret,
  Unknown,
  type Value,
  type ValueMap,
} from "./value.ts";

/** Shorter secrets (a flag, a port) occur in other texts by coincidence. */
const MIN_LENGTH = 6;

type Mark = "open" | "own" | "sealed";

/** Every secret string in a value, with numbers as strings. None of them may appear in any output. */
export function secretStrings(value: Value): string[] {
  const found = new Map<string, Mark>();
  collect(value, "open", found);
  return [...found.keys()];
}

function collect(value: Value, mark: Mark, into: Map<string, Mark>): void {
  if (value instanceof Secret)
    collect(value.value, value.sealed || mark === "sealed" ? "sealed" : "own", into);
  else if (value instanceof PartlyKnown) collect(value.known, mark, into);
  else if (Array.isArray(value)) for (const item of value) collect(item, mark, into);
  else if (isMap(value)) for (const item of Object.values(value)) collect(item, mark, into);
  else if (mark !== "open" && (typeof value === "string" || typeof value === "number")) {
    const text = String(value);
    if (text.length >= MIN_LENGTH && into.get(text) !== "sealed") into.set(text, mark);
  }
}

/**
 * Marks as secret every output that contains a secret of the inputs or of `others`, whatever its name. An output that
 * the inputs contain in plain text is not marked: the mark would reveal that it contains a secret.
 */
export function markRepeatedSecrets(
  outputs: ValueMap,
  inputs: ValueMap,
  ...others: readonly ValueMap[]
): ValueMap {
  const found = new Map<string, Mark>();
  for (const source of [inputs, ...others]) collect(source, "open", found);
  if (found.size === 0) return outputs;
  const all = [...found.keys()];
  const sealed = all.filter((text) => found.get(text) === "sealed");
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]): [string, Value] => {
      if (saysPlainly(inputs, name, value)) return [name, value];
      const inner = value instanceof Secret ? value.value : value;
      if (repeats(inner, sealed)) return [name, new Secret(value)];
      if (value instanceof Secret || !repeats(inner, all)) return [name, value];
      return [name, new Secret(value, { sealed: false })];
    }),
  );
}

function saysPlainly(inputs: ValueMap, name: string, value: Value): boolean {
  const said = own(inputs, name);
  if (said === undefined || [said, value].some((one) => hasSecret(one) || hasUnknown(one)))
    return false;
  return canonicalJson(reveal(said)) === canonicalJson(reveal(value));
}

function repeats(value: Value, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  if (typeof value === "string" || typeof value === "number")
    return secrets.some((secret) => String(value).includes(secret));
  if (Array.isArray(value)) return value.some((item) => repeats(item, secrets));
  // Values that are marked secret or not known yet reveal nothing.
  if (value instanceof Secret || value instanceof Unknown || value instanceof PartlyKnown)
    return false;
  return isMap(value) && Object.values(value).some((item) => repeats(item, secrets));
}
