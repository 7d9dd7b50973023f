/** Words that the next page says once, such as that a change was saved. */
import { make } from "./make.ts";
import { optionalPart } from "./part.ts";

const KEY = "said";

export function saySoon(words: string): void {
  sessionStorage.setItem(KEY, words);
}

export function sayNow(): void {
  const words = sessionStorage.getItem(KEY);
  if (words === null) return;
  sessionStorage.removeItem(KEY);
  const main = optionalPart(document, "main", HTMLElement);
  main?.prepend(make("p", { className: "note good", role: "status" }, words));
}
