/** Buttons and forms of a page that send a request to the API. */
import { copyButton } from "#console/browser/page/copy-button.ts";
import { dataOf, jsonData, requiredData } from "#console/browser/page/data.ts";
import { part, parts } from "#console/browser/page/part.ts";
import { hideProblem, showProblem } from "#console/browser/page/problem.ts";
import { refusalIn } from "#console/browser/page/refusal.ts";
import { answerOf, request } from "#console/browser/page/request.ts";
import { saySoon } from "#console/browser/page/say.ts";
import { showTimes } from "#console/browser/page/times.ts";
import type { PageOfAnswer } from "#console/shared/form-data.ts";
import { withData } from "#console/shared/page-names.ts";
import { bodyOf, pathOf } from "./body.ts";
import { clearFaults, focusFirstFault, showFaults } from "./faults.ts";
import { followChecks, followTenant } from "./groups.ts";
import { filled, type JsonObject } from "./json-members.ts";
import { showAnswer } from "./shown-answer.ts";
import { submitOnChoice } from "./submit-on-choice.ts";

/** Shows the scripted elements in this part of the page, and lets them work. */
export function start(root: ParentNode): void {
  showTimes(root);
  submitOnChoice(root);
  for (const scripted of parts(root, withData("scripted"), HTMLElement)) scripted.hidden = false;
  for (const text of parts(root, withData("copy"), HTMLElement))
    text.after(copyButton(() => text.textContent));
  for (const checks of root.querySelectorAll(withData("kind", "checks"))) followChecks(checks);
  for (const owner of root.querySelectorAll(withData("kind", "owner"))) followTenant(owner);
  for (const button of parts(root, withData("act"), HTMLButtonElement)) {
    button.hidden = false;
    button.addEventListener("click", () => void press(button));
  }
  for (const form of parts(root, withData("form"), HTMLFormElement)) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}

async function press(button: HTMLButtonElement): Promise<void> {
  if (!isConfirmed(button)) return;
  hideProblem();
  button.disabled = true;
  try {
    const answer = await request(
      requiredData(button, "act"),
      requiredData(button, "path"),
      jsonData(button, "body"),
      dataOf(button, "etag"),
    );
    goTo(await pageOf(dataOf(button, "to"), answer));
  } catch (error) {
    const { message, faults } = refusalIn(error);
    showProblem(faults.length === 0 ? message : faults.map(({ detail }) => detail).join(" "));
    button.disabled = false;
  }
}

/** Asks the question of a button or a form, or for the text that has to be typed. */
function isConfirmed(element: Element): boolean {
  const question = dataOf(element, "confirm");
  const typed = dataOf(element, "typed");
  if (typed === undefined) return question === undefined || confirm(question);
  const given = prompt(`${question ?? ""} Type ${typed} to go on.`);
  if (given !== null && given !== typed) showProblem(`That is not ${typed}. Nothing was changed.`);
  return given === typed;
}

async function send(form: HTMLFormElement): Promise<void> {
  if (!isConfirmed(form)) return;
  const button = part(form, "button[type=submit]", HTMLButtonElement);
  clearFaults(form);
  hideProblem();
  button.disabled = true;
  try {
    const answer = await request(
      requiredData(form, "form"),
      pathOf(form),
      bodyOf(form),
      dataOf(form, "etag"),
    );
    await goOn(form, answer);
  } catch (error) {
    const { message, faults } = refusalIn(error);
    const others = showFaults(form, faults);
    const isMarked = faults.length > others.length;
    const what = isMarked ? "Correct what is marked." : others.length > 0 ? "" : message;
    showProblem([what, ...others].join(" ").trim());
    button.disabled = false;
    // The fault stands beside its field, which may be far below the message.
    if (isMarked) focusFirstFault(form);
  }
}

/** Takes the form's step after success. */
async function goOn(form: HTMLFormElement, answer: Response): Promise<void> {
  const then = jsonData(form, "next") ?? "stay";
  if (then === "stay") {
    saySoon("Saved.");
    return goTo(here());
  }
  if (!("show" in then)) return goTo(await pageOf(then.goTo, answer));
  const members = await answerOf<JsonObject>(answer);
  showAnswer(form, members, then, then.goTo === undefined ? here() : filled(then.goTo, members));
}

/** The page after success. An answer without content leads to a page without names in braces. */
async function pageOf(page: PageOfAnswer | undefined, answer: Response): Promise<string> {
  if (page === undefined) return here();
  return page.includes("{") ? filled(page, await answerOf<JsonObject>(answer)) : page;
}

function here(): string {
  return location.pathname + location.search;
}

function goTo(page: string): void {
  // The change may have done what the query asked for.
  if (page === here()) location.reload();
  else location.assign(page);
}
