/** The inputs of a form that set members of the request. */
import { dataOf, jsonData, requiredData } from "#console/browser/page/data.ts";
import { part, parts } from "#console/browser/page/part.ts";
import { Refusal } from "#console/browser/page/refusal.ts";
import { type ControlKind, controlKinds, type Empty, owners } from "#console/shared/form-data.ts";
import { withData } from "#console/shared/page-names.ts";
import { textValue } from "./text-value.ts";

export type Control =
  | HTMLInputElement
  | HTMLSelectElement
  | HTMLTextAreaElement
  | HTMLFieldSetElement;

export function controlsOf(form: HTMLFormElement): Control[] {
  return parts(form, withData("kind"), HTMLElement).map(asControl);
}

/** The control of that name; null: the form has none. */
export function controlNamed(form: HTMLFormElement, name: string): Control | null {
  const found = form.elements.namedItem(name);
  return found instanceof HTMLElement ? asControl(found) : null;
}

function asControl(element: HTMLElement): Control {
  if (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLFieldSetElement
  )
    return element;
  throw new TypeError(`A ${element.tagName} is no input.`);
}

/** The text of the control of that name, without spaces at its ends; empty if there is none. */
export function textNamed(form: HTMLFormElement, name: string): string {
  const control = controlNamed(form, name);
  return control === null || control instanceof HTMLFieldSetElement ? "" : control.value.trim();
}

/** Whether the reader changed it since the page came. */
export function isChanged(control: Control): boolean {
  if (control instanceof HTMLFieldSetElement)
    return parts(control, "input", HTMLInputElement).some(isChanged);
  if (control instanceof HTMLInputElement && /^(checkbox|radio)$/.test(control.type))
    return control.checked !== control.defaultChecked;
  if (!(control instanceof HTMLSelectElement)) return control.value !== control.defaultValue;
  const options = [...control.options];
  if (options.some(({ defaultSelected }) => defaultSelected))
    return options.some(({ selected, defaultSelected }) => selected !== defaultSelected);
  // Without a default the first is selected.
  return control.selectedIndex !== (control.multiple ? -1 : 0);
}

/** The JSON value of a control. Undefined: no member. Throws a `Refusal` with words for people. */
export function valueOf(control: Control): unknown {
  const kind = kindOf(control);
  if (control instanceof HTMLFieldSetElement)
    return kind === "owner"
      ? ownerIn(control)
      : parts(control, "input:checked", HTMLInputElement).map(({ value }) => value);
  const empty = emptyOf(control);
  if (control instanceof HTMLInputElement && kind === "flag")
    return control.checked || empty !== "nothing" ? control.checked : undefined;
  if (control instanceof HTMLSelectElement && kind === "choices")
    return [...control.selectedOptions].map(({ value }) => value);
  const typed = {
    text: control.value,
    words: wordsOf(control),
    isHidden: control.type === "password",
    empty,
    before: jsonData(control, "before"),
  };
  return textValue(kind, typed, Date.now());
}

function kindOf(control: Control): ControlKind {
  const text = requiredData(control, "kind");
  const kind = controlKinds.find((known) => known === text);
  if (kind === undefined) throw new TypeError(`There is no kind ${text} of inputs.`);
  return kind;
}

function emptyOf(control: Control): Empty | undefined {
  const text = dataOf(control, "empty");
  return text === "nothing" || text === "null" || text === "text" ? text : undefined;
}

function wordsOf(control: Control): string {
  return control.closest("label")?.querySelector("span")?.textContent ?? control.name;
}

/** A tenant's id; undefined for the whole platform. The reader must choose. */
function ownerIn(fieldset: HTMLFieldSetElement): string | undefined {
  const chosen = fieldset.querySelector<HTMLInputElement>("input:checked")?.value;
  const tenantId = part(fieldset, withData("tenant"), HTMLInputElement).value.trim();
  if (chosen === owners.platform) return undefined;
  if (chosen === owners.tenant && tenantId !== "") return tenantId;
  const detail =
    chosen === owners.tenant
      ? "Say for which tenant."
      : "Say whether it is for one tenant or for the whole platform.";
  throw new Refusal(detail, [{ pointer: `/${fieldset.name}`, detail }]);
}
