/** Data attributes of elements, by their names in `page-names.ts`. */
import {
  dataAttribute,
  type DataName,
  type JsonData,
  type JsonName,
} from "#console/shared/page-names.ts";

/** Undefined if the element does not have it. */
export function dataOf(element: Element, name: DataName): string | undefined {
  return element.getAttribute(dataAttribute(name)) ?? undefined;
}

/** Throws if the element does not have it. */
export function requiredData(element: Element, name: DataName): string {
  const value = dataOf(element, name);
  if (value === undefined) throw new TypeError(`A ${element.tagName} has no data-${name}.`);
  return value;
}

/** The JSON that the page wrote with `data` into the attribute. Undefined: there is none. */
export function jsonData<Name extends JsonName>(
  element: Element,
  name: Name,
): JsonData[Name] | undefined {
  const text = dataOf(element, name);
  return text === undefined ? undefined : (JSON.parse(text) as JsonData[Name]);
}

export function setData(element: Element, name: DataName, value: string | number | boolean): void {
  element.setAttribute(dataAttribute(name), String(value));
}
