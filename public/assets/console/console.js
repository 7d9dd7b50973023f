/**
 * What every page of the console has: buttons that send a request to the API, with the session cookie and
 * `x-service-csrf`, which other sites cannot send; and times in the reader's own zone.
 */

import {
  bodyOf,
  clearFaults,
  copyButton,
  filled,
  followChecks,
  followTenant,
  pathOf,
  showAnswer,
  showFaults,
} from "./forms.js";

const problem = document.querySelector("#problem");

start(document);

/** Shows what needs a script in this part of the page, and lets it work. */
export function start(part) {
  for (const time of part.querySelectorAll("time"))
    time.title = new Date(time.dateTime).toLocaleString();
  for (const scripted of part.querySelectorAll("[data-scripted]")) scripted.hidden = false;
  for (const text of part.querySelectorAll("[data-copy]"))
    text.after(copyButton(() => text.textContent));
  for (const checks of part.querySelectorAll("[data-kind=checks]")) followChecks(checks);
  for (const owner of part.querySelectorAll("[data-kind=owner]")) followTenant(owner);
  for (const button of part.querySelectorAll("[data-act]")) {
    button.hidden = false;
    button.addEventListener("click", () => void press(button));
  }
  for (const form of part.querySelectorAll("[data-form]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void send(form);
    });
  }
}

async function press(button) {
  const { act: method, path, body, confirm: question, typed, etag, to } = button.dataset;
  if (typed !== undefined) {
    const given = prompt(`${question ?? ""} Type ${typed} to go on.`);
    if (given === null) return;
    if (given !== typed) {
      tell(`That is not ${typed}. Nothing was changed.`);
      return;
    }
  } else if (question !== undefined && !confirm(question)) return;
  const sent = body === undefined ? undefined : JSON.parse(body);
  problem.hidden = true;
  button.disabled = true;
  try {
    const answer = await request(method, path, sent, etag);
    goTo(to ?? pageAt(answer.headers.get("location")));
  } catch (error) {
    tell([error.message, ...(error.faults ?? []).map(({ detail }) => detail)].join(" "));
    button.disabled = false;
  }
}

async function send(form) {
  const { form: method, confirm: question, etag } = form.dataset;
  const then = JSON.parse(form.dataset.then);
  if (question !== undefined && !confirm(question)) return;
  const button = form.querySelector("button[type=submit]");
  clearFaults(form);
  problem.hidden = true;
  button.disabled = true;
  try {
    const answer = await request(method, pathOf(form), bodyOf(form), etag);
    const found = pageAt(answer.headers.get("location"));
    if (then.show !== undefined)
      return showAnswer(
        form,
        await answer.json(),
        then,
        then.follow ? found : location.pathname + location.search,
      );
    if (then.goTo !== undefined) return goTo(filled(then.goTo, await answer.json()));
    goTo(then === "follow" ? found : null);
  } catch (error) {
    const { faults = [] } = error;
    const others = showFaults(form, faults);
    const isMarked = faults.length > others.length;
    tell([isMarked ? "Correct what is marked below." : error.message, ...others].join(" "));
    button.disabled = false;
  }
}

function goTo(page) {
  // Not of the path alone: what the query asked for may have been done by it.
  if (page === null || page === location.pathname + location.search) location.reload();
  else location.assign(page);
}

function tell(words) {
  problem.textContent = words;
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

/**
 * The answer of the API, a success. `etag`: of what the page shows, which nobody else may have changed since; `new`:
 * there must be none. Throws what a person can read, with the faults of single members as `faults`.
 */
export async function request(method, path, body, etag) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      "x-service-csrf": "1",
      // A request that is sent twice, by whatever is between, is carried out once.
      "idempotency-key": crypto.randomUUID(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(etag === undefined
        ? {}
        : etag === "new"
          ? { "if-none-match": "*" }
          : { "if-match": etag }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error("The service is not responding. Try again later.");
  });
  if (response.status === 401)
    location.assign(`/login?returnTo=${encodeURIComponent(location.pathname)}`);
  if (response.ok) return response;
  // A proxy may answer with something other than JSON.
  const answer = await response.json().catch(() => ({}));
  const error = new Error(
    response.status === 412
      ? etag === "new"
        ? "There is one of this name already. Nothing was changed."
        : "It was changed meanwhile, and your change was not made. Load the page again to see what it is now."
      : (answer.detail ?? "The request failed. Try again later."),
  );
  error.faults = answer.errors ?? [];
  throw error;
}

/** Pages have the paths of the API; those of targets have no `/cloud`. */
function pageAt(location) {
  return location?.replace(/^\/api\/v1(\/cloud(?=\/targets\/))?/, "") ?? null;
}
