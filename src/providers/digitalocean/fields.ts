/** Properties with what they name, for a cloud at which tenants can share a target: what is not said here may be anything. */
import type { Json } from "#platform/json.ts";
import type { Named, ValueShape } from "#providers/provider.ts";
import { aNumber, aText, type Field, field, listOf } from "#providers/rest/fields.ts";

const named = (is: ValueShape, names: Named): ValueShape => ({ ...is, names });

export const aLabel = named(aText, "label");
export const anAmount = named(aNumber, "amount");
export const aChoice = named(aText, "choice");
export const anAddress = named(aText, "address");
export const aContent = named(aText, "content");
export const aHost = named(aText, "host");
export const someLabels = listOf(aLabel);
export const someAddresses = listOf(anAddress);
export const someHosts = listOf(aHost);
/** Keys and values are labels. */
export const someLabelled: ValueShape = {
  type: "object",
  object: { properties: {}, open: true },
  items: named({}, "label"),
};

export const label = (about: string): Field => field(about, aLabel);
export const amount = (about: string): Field => field(about, anAmount);
export const choice = (about: string): Field => field(about, aChoice);
export const address = (about: string): Field => field(about, anAddress);
export const content = (about: string): Field => field(about, aContent);
export const zone = (about: string): Field => field(about, named(aText, "zone"));
export const slug = (about: string): Field => field(about, named({}, "slug"));

/** Only these values name nothing. */
export const only = (...values: readonly Json[]): ValueShape => named({}, values);
/** The type of the object is said by the property `by`, in one of these words; "" is none. */
export const typed = (by: string, types: Readonly<Record<string, string>>): ValueShape =>
  named(aText, { by, types });

/** Values of any type with these names, which are in one text. */
export function words(names: string, as: Named = "label"): Record<string, ValueShape> {
  return Object.fromEntries(names.split(" ").map((name) => [name, named({}, as)]));
}

/** An object that takes further members, too. */
export function openGroup(properties: Readonly<Record<string, ValueShape>>): ValueShape {
  return { type: "object", object: { properties, open: true } };
}
