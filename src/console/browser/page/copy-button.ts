import { makeButton } from "./make.ts";

/** A button that copies a text and says so. */
export function copyButton(textOf: () => string): HTMLButtonElement {
  const button = makeButton("Copy", () => void copy(textOf(), button));
  return button;
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not let pages copy: select the text";
  }
}
