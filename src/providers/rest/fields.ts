/** Writes the properties of a row and their shape at once: `fields({ name: text("…") })`. */
import type { Json } from "#platform/json.ts";
import type { ObjectShape, PropertyFacts, ValueShape } from "#providers/provider.ts";
import type { RestType } from "./rest-type.ts";

export interface Field {
  about: string;
  is: ValueShape;
}

type Named = Readonly<Record<string, Field>>;

/** The `takes` of a row. Properties in `required` have to be set. */
export function fields(
  named: Named,
  required: readonly string[] = [],
): Required<NonNullable<RestType["takes"]>> {
  const entries = Object.entries(named);
  return {
    properties: Object.fromEntries(
      entries.map(([name, { about, is }]): [string, PropertyFacts] => [
        name,
        { description: about, ...(is.type === undefined ? {} : { type: is.type }) },
      ]),
    ),
    shape: shapeOf(
      Object.fromEntries(entries.map(([name, { is }]): [string, ValueShape] => [name, is])),
      required,
    ),
    required,
  };
}

function shapeOf(
  properties: Readonly<Record<string, ValueShape>>,
  required: readonly string[],
): ObjectShape {
  return required.length === 0 ? { properties } : { properties, required };
}

export const aText: ValueShape = { type: "string" };
export const aNumber: ValueShape = { type: "integer" };
export const aFlag: ValueShape = { type: "boolean" };
export const someTexts: ValueShape = { type: "array", items: aText };
export const someNumbers: ValueShape = { type: "array", items: aNumber };
export const aMap: ValueShape = { type: "object", object: { properties: {}, open: true } };

export function oneOf(...choices: readonly Json[]): ValueShape {
  return { type: "string", enum: choices };
}

/** An object; the members in `required` have to be set. */
export function group(
  properties: Readonly<Record<string, ValueShape>>,
  required: readonly string[] = [],
): ValueShape {
  return { type: "object", object: shapeOf(properties, required) };
}

export function listOf(items: ValueShape): ValueShape {
  return { type: "array", items };
}

export const field = (about: string, is: ValueShape): Field => ({ about, is });
export const text = (about: string, ...choices: readonly Json[]): Field =>
  field(about, choices.length === 0 ? aText : oneOf(...choices));
export const whole = (about: string): Field => field(about, aNumber);
export const flag = (about: string): Field => field(about, aFlag);
export const texts = (about: string): Field => field(about, someTexts);
