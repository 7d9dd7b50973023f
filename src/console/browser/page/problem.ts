/** The place of a page for error messages. */
import { ids, selectorOf } from "#console/shared/page-names.ts";
import { part } from "./part.ts";

export function showProblem(words: string): void {
  const place = placeOf();
  place.textContent = words;
  place.hidden = false;
  place.scrollIntoView({ block: "nearest" });
}

export function hideProblem(): void {
  placeOf().hidden = true;
}

function placeOf(): HTMLElement {
  return part(document, selectorOf(ids.problem), HTMLElement);
}
