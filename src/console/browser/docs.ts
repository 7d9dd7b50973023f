/**
 * The script of the API reference: results of a search while one types, copy buttons, and the current place in the
 * sidebar. The pages are complete without it.
 */
import { copySamples } from "./docs/copy-samples.ts";
import { followPlace } from "./docs/follow-place.ts";
import { searchWhileTyping } from "./docs/search.ts";

searchWhileTyping();
addEventListener("hashchange", openTarget);
openTarget();
copySamples();
followPlace();

/** Opens the event to which the address leads. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
