/**
 * The source of a template as text to edit: what is wrong with it is said while it is typed, and what may stand there is
 * offered. Without the editor's library, the form's own text area does.
 */
import { request } from "./console.js";
import { drawGraphs } from "./graph.js";
import { newEditor } from "./source-editor.js";

const section = document.querySelector("#source");
const lines = document.querySelector("#source-lines");
const status = document.querySelector("#source-status");
const list = document.querySelector("#diagnostics");
const form = section?.querySelector("form") ?? null;
const area = form?.elements.namedItem("source");
/** Nobody types for that long, so that what is there is worth a check. */
const PAUSE_MS = 400;
const RETRY_MS = 10_000;

let editor;
let initial;
let due;
/** Counts what was typed: an answer about anything older is dropped. */
let typed = 0;
let isChecked = false;
let resourcesShown;

if (section !== null) await start();

async function start() {
  initial = [...lines.querySelectorAll("code")].map(({ textContent }) => textContent).join("\n");
  if (area !== undefined) area.value = initial;
  const place = area?.closest("label") ?? lines;
  try {
    editor = await newEditor(place, {
      text: initial,
      isEditable: form !== null,
      diagnostics: [...list.children].map(read),
      onChange: changed,
      onSave: () => form.requestSubmit(),
    });
  } catch (error) {
    console.warn("The editor could not be loaded", error);
    area?.addEventListener("input", changed);
  }
  lines.hidden = editor !== undefined || form !== null;
  for (const item of list.children) link(item);
  if (form === null) return;
  place.hidden = editor !== undefined;
  const keys = section.querySelector("#source-keys");
  keys.hidden = editor === undefined;
  place.after(keys);
  // Before the one of console.js, which sends the form.
  form.addEventListener("submit", (event) => void beforeSaving(event), { capture: true });
  addEventListener("beforeunload", (event) => {
    const isSent = form.querySelector("button[type=submit]").disabled;
    if (textNow() !== initial && !isSent) event.preventDefault();
  });
}

function textNow() {
  return editor?.text() ?? area.value;
}

function changed() {
  typed += 1;
  clearTimeout(due);
  due = setTimeout(() => void check(typed), PAUSE_MS);
}

async function check(asked) {
  const source = textNow();
  if (source.trim() === "") return show([], "There is nothing to check yet.");
  const tenantId = section.dataset.tenant ?? form.elements.namedItem("tenantId")?.value;
  try {
    const body = { source, ...(tenantId && { tenantId }) };
    const answer = await request("POST", "/templates/validate", body);
    const { diagnostics, resources } = await answer.json();
    if (asked !== typed) return;
    show(diagnostics, wordsFor(diagnostics));
    showResources(resources);
  } catch (error) {
    if (asked !== typed) return;
    status.textContent = `Not checked: ${error.message}`;
    due = setTimeout(() => void check(asked), RETRY_MS);
  }
}

function show(diagnostics, words) {
  status.textContent = words;
  list.replaceChildren(...diagnostics.map(itemOf));
  for (const item of list.children) link(item);
  editor?.show(diagnostics);
}

function wordsFor(diagnostics) {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return "Nothing is wrong with the source.";
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}.`;
}

function counted(count, word) {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}

/** As the page is made of them. */
function itemOf({ severity, line, column, endLine, endColumn, message, hint, code }) {
  const item = document.createElement("li");
  Object.assign(item.dataset, { severity, line, column });
  if (endLine !== undefined) Object.assign(item.dataset, { endLine, endColumn });
  const words = document.createElement("span");
  words.append(textIn("span", severity, `tag ${severity === "error" ? "bad" : "wait"}`), " ");
  if (line > 0) {
    const place = textIn("a", `Line ${line}, column ${column}`);
    place.href = `#line-${line}`;
    words.append(place, " ");
  }
  const said = hint === undefined ? message : `${message} ${hint}`;
  words.append(textIn("span", said, "words"), " ", textIn("code", code, "soft"));
  item.append(words);
  return item;
}

/** As the page shows those of a version. What is no YAML for a moment leaves what was there. */
function showResources(resources) {
  const text = JSON.stringify(resources);
  if (resources.length === 0 || text === resourcesShown) return;
  resourcesShown = text;
  const graph = document.createElement("div");
  graph.className = "graph";
  const nodes = resources.map((one) => {
    const words = madeWords(one);
    const { name, dependsOn } = one;
    return { id: name, type: typeWords(one), dependsOn, ...(words !== "" && { mark: { words } }) };
  });
  graph.dataset.graph = JSON.stringify(nodes);
  graph.dataset.label = "The template's resources and what each depends on";
  const makes = document.querySelector("#makes");
  makes.replaceChildren(graph, tableOf(resources));
  drawGraphs(makes);
}

function typeWords({ type, component, range }) {
  return type ?? `component ${component} ${range}`;
}

/** As src/console/templates/source-resources.tsx says it. */
function madeWords({ conditional, repeats }) {
  if (repeats) return conditional ? "for each key, on a condition" : "for each key";
  return conditional ? "on a condition" : "";
}

function tableOf(resources) {
  const hasMarks = resources.some((one) => madeWords(one) !== "");
  const columns = ["Resource", "Type", ...(hasMarks ? ["Made"] : []), "Depends on"];
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const column of columns) {
    const cell = textIn("th", column);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const one of resources) {
    const { name, dependsOn } = one;
    const row = body.insertRow();
    const strong = textIn("strong", name);
    strong.id = `resource-${name}`;
    const links = dependsOn.flatMap((other, at) => {
      const link = textIn("a", other);
      link.href = `#${encodeURIComponent(`resource-${other}`)}`;
      return at === 0 ? [link] : [", ", link];
    });
    const words = madeWords(one);
    const made = words === "" ? [] : [textIn("span", words, "tag")];
    const cells = [[strong], [typeWords(one)], ...(hasMarks ? [made] : []), links];
    for (const [at, content] of cells.entries()) {
      const cell = row.insertCell();
      cell.dataset.column = columns[at];
      cell.append(...content);
    }
  }
  return table;
}

function textIn(name, text, className = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (className !== "") element.className = className;
  return element;
}

function read(item) {
  const { severity, line, column, endLine, endColumn } = item.dataset;
  const message = item.querySelector(".words").textContent;
  const end = endLine && { endLine: Number(endLine), endColumn: Number(endColumn) };
  return { severity, line: Number(line), column: Number(column), ...end, message };
}

/** Leads to the place in the editor. */
function link(item) {
  const { line, column } = item.dataset;
  item.querySelector("a")?.addEventListener("click", (event) => {
    if (editor === undefined) return;
    event.preventDefault();
    editor.goTo(Number(line), Number(column));
  });
}

/** Takes the text over, and asks whether somebody else has saved since the page was made. */
async function beforeSaving(event) {
  area.value = textNow();
  if (isChecked) {
    isChecked = false;
    return;
  }
  const { template, latest } = section.dataset;
  if (template === undefined) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (area.value === initial && latest !== undefined) {
    status.textContent = "The source is as it was: there is nothing to save.";
    return;
  }
  const now = await newest(template);
  const question = `Version ${now} was added meanwhile. Save a version without what it changed?`;
  if (now !== null && String(now) !== latest && !confirm(question)) return;
  isChecked = true;
  form.requestSubmit();
}

/** Null also where it cannot be read: saving says why. */
async function newest(template) {
  const response = await fetch(`/api/v1/templates/${template}`).catch(() => undefined);
  return response?.ok ? (await response.json()).latestVersion : null;
}
