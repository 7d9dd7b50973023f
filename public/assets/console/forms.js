/** What the inputs of a form mean: `data-kind` says how each becomes JSON, its name which member it sets. */

/** The path with what stands in braces taken from the inputs of that name. */
export function pathOf(form) {
  return form.dataset.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(form.elements.namedItem(name)?.value.trim() ?? ""),
  );
}

/** The path with what stands in braces taken from an answer. */
export function filled(path, answer) {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(answer[name] ?? ""));
}

/** The body of the request. Throws what a person can read. */
export function bodyOf(form) {
  const body = JSON.parse(form.dataset.body ?? "{}");
  for (const input of form.querySelectorAll("[data-kind]")) {
    if (form.dataset.path.includes(`{${input.name}}`)) continue;
    const value = valueOf(input);
    if (value !== undefined) put(body, input.name.split("."), value);
  }
  return body;
}

function valueOf(input) {
  const { kind, empty } = input.dataset;
  if (kind === "flag") return input.checked || empty !== "nothing" ? input.checked : undefined;
  if (kind === "checks")
    return [...input.querySelectorAll("input:checked")].map(({ value }) => value);
  if (kind === "choices") return [...input.selectedOptions].map(({ value }) => value);
  // A secret may end with a space, and a source with a line; nothing else that a person types should.
  const text = kind === "secret" || kind === "source" ? input.value : input.value.trim();
  if (text === "") return { null: null, text }[empty];
  if (kind === "number") return Number(text);
  if (kind === "time") return `${text.slice(0, 16)}:00Z`;
  if (kind === "lines") return linesOf(text);
  if (kind === "json") return jsonOf(text, input);
  return text;
}

function linesOf(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function jsonOf(text, input) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const name = input.closest("label").querySelector("span").textContent;
    throw new Error(`${name} is not JSON: ${cause.message}`, { cause });
  }
}

/** A person may have called a member `constructor` or `__proto__`. */
function put(body, path, value) {
  const [name, ...rest] = path;
  if (rest.length > 0) {
    if (!Object.hasOwn(body, name)) put(body, [name], {});
    return put(body[name], rest, value);
  }
  const isOwn = { configurable: true, enumerable: true, writable: true };
  Object.defineProperty(body, name, { value, ...isOwn });
}

export function clearFaults(form) {
  for (const fault of form.querySelectorAll(".fault")) fault.remove();
  for (const input of form.querySelectorAll("[aria-invalid]"))
    input.removeAttribute("aria-invalid");
}

/** Says at each input what is wrong with it. Returns the words for which there is no input. */
export function showFaults(form, faults) {
  const others = [];
  for (const { pointer = "", detail } of faults) {
    const input = inputAt(form, pointer.split("/").slice(1).join("."));
    if (input === undefined) {
      others.push(detail);
      continue;
    }
    input.setAttribute("aria-invalid", "true");
    const words = document.createElement("span");
    words.className = "fault";
    words.textContent = detail;
    input.after(words);
  }
  const first = form.querySelector("[aria-invalid]");
  (first?.matches("fieldset") ? first.querySelector("input") : first)?.focus();
  return others;
}

/** The input of a member, or of the one that it is in: `scopes.0` is a fault of `scopes`. */
function inputAt(form, path) {
  return [...form.querySelectorAll("[data-kind]")].find(
    ({ name }) => path === name || path.startsWith(`${name}.`),
  );
}

/**
 * Shows members of the answer in the form's place, until the reader goes on to `page`: what nobody can read again, or
 * what `intro` says.
 */
export function showAnswer(form, answer, { show, intro, link }, page) {
  const shown = document.createElement("div");
  shown.className = "note";
  shown.setAttribute("role", "status");
  const first = document.createElement("p");
  first.textContent = intro ?? "Copy this now: it is not shown again.";
  shown.append(first);
  const lines = Object.entries(show).map(([name, words]) => [words, answer[name]]);
  if (link !== undefined) lines.push(["Link", location.origin + filled(link, answer)]);
  for (const [words, text] of lines) {
    if (text === undefined || text === null) continue;
    const line = document.createElement("p");
    const value = document.createElement(intro === undefined ? "code" : "span");
    value.textContent = text;
    line.append(`${words}: `, value, " ");
    if (intro === undefined) line.append(copyButton(() => text));
    shown.append(line);
  }
  const done = document.createElement("button");
  done.className = "button";
  done.type = "button";
  done.textContent = intro === undefined ? "I have it" : "Go on";
  done.addEventListener("click", () => location.assign(page));
  shown.append(done);
  form.replaceWith(shown);
  done.focus();
}

/** A button that copies a text, and says that it did. */
export function copyButton(textOf) {
  const button = document.createElement("button");
  button.className = "button";
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", () => void copy(textOf(), button));
  return button;
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser does not let pages copy: select the text";
  }
}
