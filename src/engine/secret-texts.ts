import { isMap, Partly, Secret, Unknown, type Value, type ValueMap } from "./value.ts";

/** Shorter ones (a flag, a port) stand in many a text by chance. */
const SHORTEST = 6;

/** The texts that a value keeps secret, numbers among them as they are written: what may be shown nowhere. */
export function secretTexts(value: Value): string[] {
  const found = new Set<string>();
  collect(value, false, found);
  return [...found];
}

function collect(value: Value, secret: boolean, into: Set<string>): void {
  if (value instanceof Secret) collect(value.value, true, into);
  else if (value instanceof Partly) collect(value.known, secret, into);
  else if (Array.isArray(value)) for (const item of value) collect(item, secret, into);
  else if (isMap(value)) for (const item of Object.values(value)) collect(item, secret, into);
  else if (secret && (typeof value === "string" || typeof value === "number")) {
    const text = String(value);
    if (text.length >= SHORTEST) into.add(text);
  }
}

/** The outputs with those marked that repeat a secret of the inputs, under whatever name a provider shows it. */
export function markEchoes(outputs: ValueMap, inputs: ValueMap): ValueMap {
  const secrets = secretTexts(inputs);
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
  // What is marked inside, or is not known, shows nothing.
  if (value instanceof Secret || value instanceof Unknown || value instanceof Partly) return false;
  return isMap(value) && Object.values(value).some((item) => repeats(item, secrets));
}
