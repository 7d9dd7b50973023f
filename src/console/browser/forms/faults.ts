/** Error messages beside the inputs of a form. */
import { make } from "#console/browser/page/make.ts";
import type { Fault } from "#console/browser/page/refusal.ts";
import { memberPath } from "./body.ts";
import { type Control, controlsOf } from "./controls.ts";

export function clearFaults(form: HTMLFormElement): void {
  for (const fault of form.querySelectorAll(".fault")) fault.remove();
  for (const input of form.querySelectorAll("[aria-invalid]"))
    input.removeAttribute("aria-invalid");
}

/** Marks an input as wrong and says why. */
export function showFault(control: Element, words: string): void {
  control.setAttribute("aria-invalid", "true");
  control.after(make("span", { className: "fault" }, words));
}

/** Moves the focus to the first input that is marked as wrong. */
export function focusFirstFault(form: HTMLFormElement): void {
  const first = form.querySelector("[aria-invalid]");
  const control = first?.matches("fieldset") === true ? first.querySelector("input") : first;
  if (control instanceof HTMLElement) control.focus();
}

/** Shows each fault at its input. Returns the words of those without an input. */
export function showFaults(form: HTMLFormElement, faults: readonly Fault[]): string[] {
  const others: string[] = [];
  for (const { pointer = "", detail } of faults) {
    const control = controlAt(form, pointer.split("/").slice(1).join("."));
    if (control === undefined) others.push(detail);
    else showFault(control, detail);
  }
  return others;
}

/** The input of a member or of the member around it: a fault of `scopes.0` is one of `scopes`. */
function controlAt(form: HTMLFormElement, path: string): Control | undefined {
  return controlsOf(form).find((control) => {
    const member = memberPath(form, control).join(".");
    return path === member || path.startsWith(`${member}.`);
  });
}
