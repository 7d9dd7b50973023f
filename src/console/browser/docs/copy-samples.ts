import { make } from "#console/browser/page/make.ts";
import { part } from "#console/browser/page/part.ts";

const SHOWN_MS = 1500;

/** Writes this service's address into the samples, and adds a copy button to each. */
export function copySamples(): void {
  for (const sample of document.querySelectorAll("figure code"))
    sample.textContent = sample.textContent.replaceAll("$ORIGIN", location.origin);
  // Browsers have no clipboard for pages over plain HTTP.
  if (!("clipboard" in navigator)) return;
  for (const figure of document.querySelectorAll("figure")) {
    const button = make("button", { className: "copy", type: "button" }, "Copy");
    button.addEventListener("click", () => void copy(figure, button));
    figure.append(button);
  }
}

async function copy(figure: Element, button: HTMLButtonElement): Promise<void> {
  const text = part(figure, "pre", HTMLElement).textContent;
  button.textContent = await navigator.clipboard.writeText(text).then(
    () => "Copied",
    () => "Copy failed",
  );
  setTimeout(() => (button.textContent = "Copy"), SHOWN_MS);
}
