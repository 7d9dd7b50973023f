/** What the inputs of a form mean: `data-kind` says how each becomes JSON, its name which member it sets. */

const DAY_MS = 86_400_000;

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

/** The body of the request; of a patch, what the reader changed. Throws what a person can read. */
export function bodyOf(form) {
  const body = JSON.parse(form.dataset.body ?? "{}");
  const isPatch = form.dataset.patch !== undefined;
  let isChanged = false;
  const inputs = [...form.querySelectorAll("[data-kind]")];
  const places = [form.dataset.path, ...inputs.map(({ name }) => name)];
  for (const input of inputs) {
    if (places.some((place) => place.includes(`{${input.name}}`))) continue;
    if (isPatch && !differs(input)) continue;
    const value = valueOf(input);
    if (value === undefined) continue;
    isChanged = true;
    put(body, memberOf(form, input), value);
  }
  if (isPatch && !isChanged) throw new Error("Nothing is different from what it was.");
  return body;
}

/** The path of the member that an input sets. What stands in braces in its name, another input says. */
function memberOf(form, { name }) {
  const parts = name.split(".");
  return parts.map((part) => {
    const [, other] = /^\{(\w+)\}$/.exec(part) ?? [];
    return other === undefined ? part : form.elements.namedItem(other).value.trim();
  });
}

/** From what the page came with. */
function differs(input) {
  if (input.type === "checkbox") return input.checked !== input.defaultChecked;
  if (input.options === undefined) return input.value !== input.defaultValue;
  const options = [...input.options];
  if (options.some(({ defaultSelected }) => defaultSelected))
    return options.some(({ selected, defaultSelected }) => selected !== defaultSelected);
  // Without a default the first is selected.
  return input.selectedIndex !== (input.multiple ? -1 : 0);
}

/** What an input says, as JSON; undefined: nothing. Throws what a person can read. */
export function valueOf(input) {
  const { kind, empty, before } = input.dataset;
  const was = before === undefined ? undefined : JSON.parse(before);
  if (kind === "flag") return input.checked || empty !== "nothing" ? input.checked : undefined;
  if (kind === "checks")
    return [...input.querySelectorAll("input:checked")].map(({ value }) => value);
  if (kind === "owner") return ownerIn(input);
  if (kind === "choices") return [...input.selectedOptions].map(({ value }) => value);
  // A secret may end with a space, and a source with a line; nothing else that a person types should.
  const text = kind === "secret" || kind === "source" ? input.value : input.value.trim();
  if (kind === "pairs") return patchOf(was, pairsOf(text, input));
  if (text === "") return { null: null, text }[empty];
  if (kind === "number") return Number(text);
  if (kind === "lifetime") return new Date(Date.now() + Number(text) * DAY_MS).toISOString();
  if (kind === "time") return `${text.slice(0, 16)}:00Z`;
  if (kind === "lines") return linesOf(text);
  if (kind === "json") return patchOf(was, jsonOf(text, input));
  return text;
}

/** A tenant's id; undefined: the reader said that it is for the whole platform. */
function ownerIn(fieldset) {
  const chosen = fieldset.querySelector("input:checked")?.value;
  const tenantId = fieldset.querySelector("[data-tenant]").value.trim();
  if (chosen === "platform") return undefined;
  if (chosen === "tenant" && tenantId !== "") return tenantId;
  const detail =
    chosen === "tenant"
      ? "Say for which tenant."
      : "Say whether it is for one tenant or for the whole platform.";
  throw Object.assign(new Error(detail), { faults: [{ pointer: `/${fieldset.name}`, detail }] });
}

/** Says of each group of boxes how many are chosen, and lets the presets choose. */
export function followChecks(fieldset) {
  const boxes = [...fieldset.querySelectorAll("input")];
  const tell = () => {
    for (const count of fieldset.querySelectorAll("[data-chosen]")) {
      const chosen = count.closest("details").querySelectorAll("input:checked").length;
      count.textContent = chosen === 0 ? "" : `${chosen} chosen`;
    }
  };
  for (const button of fieldset.querySelectorAll("[data-preset]"))
    button.addEventListener("click", () => {
      const wanted = JSON.parse(button.dataset.preset);
      for (const box of boxes) box.checked = wanted.includes(box.value);
      tell();
    });
  fieldset.addEventListener("change", tell);
  tell();
}

/** Whoever names a tenant means that one. */
export function followTenant(fieldset) {
  const tenant = fieldset.querySelector("[data-tenant]");
  tenant.addEventListener("input", () => {
    if (tenant.value !== "") fieldset.querySelector("[value=tenant]").checked = true;
  });
}

function linesOf(text) {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

/** A line for each, as `name=value`. */
function pairsOf(text, input) {
  const pairs = {};
  for (const line of linesOf(text)) {
    const at = line.indexOf("=");
    if (at < 1) throw new Error(`${wordsOf(input)}: write each line as name=value, unlike ${line}`);
    put(pairs, [line.slice(0, at).trim()], line.slice(at + 1).trim());
  }
  return pairs;
}

/** The merge patch (RFC 7396) that makes `after` of `before`: what is gone is null. */
function patchOf(before, after) {
  if (!isMap(before) || !isMap(after)) return after;
  const patch = {};
  for (const key of Object.keys(before)) put(patch, [key], null);
  for (const [key, value] of Object.entries(after))
    put(patch, [key], patchOf(Object.hasOwn(before, key) ? before[key] : undefined, value));
  return patch;
}

function isMap(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonOf(text, input) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // What the engine says quotes the text.
    const why = input.type === "password" ? "." : `: ${cause.message}`;
    throw new Error(`${wordsOf(input)} is not JSON${why}`, { cause });
  }
}

function wordsOf(input) {
  return input.closest("label").querySelector("span").textContent;
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
  return [...form.querySelectorAll("[data-kind]")].find((input) => {
    const member = memberOf(form, input).join(".");
    return path === member || path.startsWith(`${member}.`);
  });
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
