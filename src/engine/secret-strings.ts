import { isMap, PartlyKnown, Secret, Unknown, type Value, type ValueMap } from "./value.ts";

/** Shorter secrets (a flag, a port) occur in other texts by chance. */
const MIN_LENGTH = 6;

/** Every secret string in a value, numbers in their string form: none of them may appear in any output. */
export function secretStrings(value: Value): string[] {
  const found = new Set<string>();
  collect(value, false, found);
  return [...found];
}

function collect(value: Value, secret: boolean, into: Set<string>): void {
  if (value instanceof Secret) collect(value.value, true, into);
  else if (value instanceof PartlyKnown) collect(value.known, secret, into);
  else if (Array.isArray(value)) for (const item of value) collect(item, secret, into);
  else if (isMap(value)) for (const item of Object.values(value)) collect(item, secret, into);
  else if (secret && (typeof value === "string" || typeof value === "number")) {
    const text = String(value);
    if (text.length >= MIN_LENGTH) into.add(text);
  }
}

/** Marks as secret every output that contains a secret of the inputs, whatever the provider names it. */
export function markRepeatedSecrets(outputs: ValueMap, inputs: ValueMap): ValueMap {
  const secrets = secretStrings(inputs);
  if (secrets.length === 0) return outputs;
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      value instanceof Secret || !repeats(value, secrets) ? value : new Secret(value),
    ]),
  );
}

function repeats(value: Value, secrets: readonly string[]): boolean {
  if (typeof value === "string" || typeof value === "number")
    return secrets.some((secret) => String(value).includes(secret));
  if (Array.isArray(value)) return value.some((item) => repeats(item, secrets));
  // Values that are marked secret or not known yet reveal nothing.
  if (value instanceof Secret || value instanceof Unknown || value instanceof PartlyKnown)
    return false;
  return isMap(value) && Object.values(value).some((item) => repeats(item, secrets));
}
