/** An HTML element with these properties and contents. Text stays text. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...contents: readonly (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...contents);
  return element;
}

/** A button that does not send a form. */
export function makeButton(words: string, act: () => void): HTMLButtonElement {
  const button = make("button", { className: "button", type: "button" }, words);
  button.addEventListener("click", act);
  return button;
}
