import { copyButton } from "#console/browser/page/copy-button.ts";
import { make, makeButton } from "#console/browser/page/make.ts";
import type { ShownAnswer } from "#console/shared/form-data.ts";
import { filled, type JsonObject, memberOf, textOf } from "./json-members.ts";

/** Shows members of the answer in place of the form, until the reader goes on to `page`. */
export function showAnswer(
  form: HTMLFormElement,
  answer: JsonObject,
  { show, intro, link }: ShownAnswer,
  page: string,
): void {
  const isSecret = intro === undefined;
  const shown = make("div", { className: "note", role: "status" });
  shown.append(make("p", {}, intro ?? "Copy this now: it is not shown again."));
  const lines = Object.entries(show).map(
    ([name, words]) => [words, textOf(memberOf(answer, name))] as const,
  );
  if (link !== undefined) lines.push(["Link", location.origin + filled(link, answer)]);
  for (const [words, given] of lines) {
    if (given === undefined) continue;
    // The API answers addresses of its own without its host.
    const text = given.startsWith("/api/") ? location.origin + given : given;
    const line = make("p", {}, `${words}: `, make(isSecret ? "code" : "span", {}, text), " ");
    if (isSecret) line.append(copyButton(() => text));
    shown.append(line);
  }
  const done = makeButton(isSecret ? "I have it" : "Go on", () => location.assign(page));
  shown.append(done);
  form.replaceWith(shown);
  done.focus();
}
