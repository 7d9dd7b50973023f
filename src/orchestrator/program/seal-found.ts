import { own } from "#engine/template/own.ts";
import { reveal, Secret, type Value, type ValueMap } from "#engine/value.ts";
import { canonicalJson, type Json, type JsonMap } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";

type Facts = Pick<TypeFacts, "outputs" | "properties" | "shown" | "writeOnly">;

/**
 * The outputs of an imported object. Nothing tells which of its properties were given as secrets, so each is sealed.
 * Exceptions: values that the template itself contains, the id, properties that take no sealed value, and those that
 * only the cloud writes.
 */
export function sealFound(
  outputs: JsonMap,
  { id, inputs, facts }: { id: string; inputs: ValueMap; facts: Facts | undefined },
): ValueMap {
  return Object.fromEntries(
    Object.entries(outputs).map(([key, value]): [string, Value] => {
      const sent = own(inputs, key);
      const open = key === "id" || value === id || isOpen(key, facts) || says(sent, value);
      return [key, open ? value : new Secret(value)];
    }),
  );
}

function isOpen(key: string, facts: Facts | undefined): boolean {
  if (facts === undefined) return false;
  const { outputs = [], properties, shown = [], writeOnly } = facts;
  if (shown.includes(key)) return true;
  // A computed output of the cloud may repeat a write-only property, such as an address with a password.
  if (writeOnly.length > 0 || properties === undefined) return false;
  return outputs.includes(key) && !Object.hasOwn(properties, key);
}

function says(sent: Value | undefined, value: Json): boolean {
  return sent !== undefined && canonicalJson(reveal(sent)) === canonicalJson(value);
}
