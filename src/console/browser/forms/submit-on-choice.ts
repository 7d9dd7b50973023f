import { parts } from "#console/browser/page/part.ts";
import { withData } from "#console/shared/page-names.ts";

/** Choices that submit their form at once. Without the script the form has a button, which is hidden here. */
export function submitOnChoice(root: ParentNode): void {
  for (const select of parts(root, withData("submits"), HTMLSelectElement)) {
    const { form } = select;
    if (form === null) continue;
    for (const button of parts(form, withData("submit"), HTMLButtonElement)) button.hidden = true;
    select.addEventListener("change", () => form.requestSubmit());
  }
}
