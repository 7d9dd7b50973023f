/** Groups of inputs: boxes with presets, and the owner of an object. */
import { jsonData } from "#console/browser/page/data.ts";
import { part, parts } from "#console/browser/page/part.ts";
import { owners } from "#console/shared/form-data.ts";
import { withData } from "#console/shared/page-names.ts";

/** Shows the number of chosen boxes in each group, and lets the presets choose. */
export function followChecks(fieldset: Element): void {
  const boxes = parts(fieldset, "input", HTMLInputElement);
  const showCounts = (): void => {
    for (const count of fieldset.querySelectorAll(withData("chosen"))) {
      const chosen = count.closest("details")?.querySelectorAll("input:checked").length ?? 0;
      count.textContent = chosen === 0 ? "" : `${chosen} chosen`;
    }
  };
  for (const button of parts(fieldset, withData("preset"), HTMLButtonElement))
    button.addEventListener("click", () => {
      const wanted = jsonData(button, "preset") ?? [];
      for (const box of boxes) box.checked = wanted.includes(box.value);
      showCounts();
    });
  fieldset.addEventListener("change", showCounts);
  showCounts();
}

/** Chooses the tenant as the owner once its name is typed. */
export function followTenant(fieldset: Element): void {
  const tenant = part(fieldset, withData("tenant"), HTMLInputElement);
  tenant.addEventListener("input", () => {
    if (tenant.value === "") return;
    part(fieldset, `[value=${owners.tenant}]`, HTMLInputElement).checked = true;
  });
}
