/** Chooses the files of an import, says what is sent and what is not, and sends it. */
import { request } from "./console.js";
import { valueOf } from "./forms.js";
import { chosenFiles, droppedFiles, readFiles, reportIn } from "./import-files.js";

const form = document.querySelector("#import");
const [folder, single, everyKind, report, adopt, dryRun, status, chosen, result, problem] = [
  "folder",
  "files",
  "every-kind",
  "report",
  "adopt",
  "dry-run",
  "status",
  "chosen",
  "result",
  "problem",
].map((id) => document.getElementById(id));
/** Whoever has one tenant is not asked. */
const owner = form.elements.namedItem("tenantId");
const send = form.querySelector("button[type=submit]");
const limits = {
  files: Number(form.dataset.maxFiles),
  fileBytes: Number(form.dataset.maxFileBytes),
  totalBytes: Number(form.dataset.maxTotalBytes),
};
const SHOWN = 50;
/** So many names need not be folded. */
const FEW = 3;

/** What was found, and what was read of it. */
let found;
let read = { files: [], bytes: 0, excess: undefined };
/** Cautions whose files stay here. */
const kept = new Set();
let reading = 0;

form.hidden = false;
start(folder, single);
start(single, folder);
everyKind.addEventListener("change", () => void take(found));
report.addEventListener("change", ready);
for (const kind of ["dragover", "dragleave", "drop"])
  document.addEventListener(kind, (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    // Else the browser leaves the page for the file.
    event.preventDefault();
    form.classList.toggle("over", kind === "dragover");
    if (kind === "drop") void drop(event.dataTransfer);
  });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void submit(false);
});
dryRun.addEventListener("click", () => void submit(true));
ready();

function start(input, other) {
  input.addEventListener("change", () => {
    other.value = "";
    void take(chosenFiles(input.files));
  });
}

async function drop(transfer) {
  folder.value = "";
  single.value = "";
  status.textContent = "Looking through what you dropped …";
  try {
    await take(await droppedFiles(transfer));
  } catch {
    status.textContent = "";
    tell("The browser cannot read what you dropped. Choose the folder instead.");
  }
}

async function take(files) {
  if (files === undefined) return;
  found = files;
  reading += 1;
  const mine = reading;
  read = { files: [], bytes: 0, excess: undefined };
  kept.clear();
  problem.hidden = true;
  result.replaceChildren();
  ready();
  const done = await readFiles(found, limits, {
    everyKind: everyKind.checked,
    tell: (at, of) => (status.textContent = `Reading file ${at + 1} of ${of} …`),
    isWanted: () => mine === reading,
  });
  if (mine !== reading) return;
  read = done;
  show();
  ready();
}

function sent() {
  return read.files.filter((file) => !kept.has(file.caution));
}

/** Says what would be sent, and whether it can be. */
function ready() {
  const files = sent();
  const canSend = read.excess === undefined && (files.length > 0 || report.files.length > 0);
  send.disabled = !canSend;
  dryRun.disabled = !canSend;
  status.textContent =
    found === undefined || read.excess !== undefined
      ? ""
      : `${counted(files.length, "file")}, ${sizeOf(files)}, will be sent.`;
}

const excessWords = {
  files: () => `An import takes at most ${limits.files} files.`,
  bytes: () => `An import takes at most ${limits.totalBytes / 1024 / 1024} MiB in all.`,
};
const leftWords = {
  kind: (count) => `${counted(count, "file")} of other kinds`,
  size: (count) => `${counted(count, "file")} over ${limits.fileBytes / 1024 / 1024} MiB`,
  binary: (count) =>
    `${counted(count, "file")} that ${count === 1 ? "is" : "are"} not text in UTF-8`,
  unreadable: (count) => `${counted(count, "file")} that the browser cannot read`,
};
const cautionWords = {
  state: [
    "State",
    "A state has every value of what exists, secrets too. An import keeps addresses, types, providers, regions, dependencies and ids of it, and no other value.",
  ],
  plan: [
    "Plans",
    "A plan has the values of what it changes, secrets too. An import keeps addresses, types, providers, regions, dependencies and ids of it, and no other value.",
  ],
  values: [
    "Values of variables",
    "These files give variables their values, often secrets. An import keeps names of them, and no value.",
  ],
  secrets: [
    "Secrets",
    "These lines look like secrets. What is named or marked as a secret, or looks like one, is not kept: the draft asks for it. A secret that looks like any other text is not recognised, and may be shown in the draft.",
  ],
};

function show() {
  if (read.excess !== undefined)
    tell(`${excessWords[read.excess]()} Choose a smaller folder, or fewer files.`);
  chosen.replaceChildren(...leftOut(), ...cautions());
}

function leftOut() {
  const { folders = [], left = {}, isCut } = read;
  const items = [
    folders.length > 0 &&
      named(
        `${counted(folders.length, "folder")} with everything in ${folders.length === 1 ? "it" : "them"}`,
        folders,
      ),
    ...Object.entries(left).map(
      ([reason, paths]) => paths.length > 0 && named(leftWords[reason](paths.length), paths),
    ),
    isCut && make("li", {}, "Everything after the first 20,000 files: choose a smaller folder."),
  ].filter(Boolean);
  return items.length === 0 ? [] : [make("h2", {}, "Left out"), make("ul", {}, ...items)];
}

function cautions() {
  return Object.entries(cautionWords).flatMap(([kind, [title, words]]) => {
    const files = read.files.filter((file) => file.caution === kind);
    if (files.length === 0) return [];
    const box = make("input", { type: "checkbox", checked: true });
    box.addEventListener("change", () => {
      if (box.checked) kept.delete(kind);
      else kept.add(kind);
      ready();
    });
    const places = files.map(({ path, lines }) =>
      lines === undefined ? path : `${path}, line ${lines.slice(0, 5).join(", ")}`,
    );
    return make(
      "div",
      { className: "note caution" },
      make("h2", {}, title),
      make("p", {}, words),
      make("ul", {}, named(counted(files.length, "file"), places)),
      make("label", { className: "flag" }, box, make("span", {}, "Send them")),
    );
  });
}

/** Words, with the names behind them. */
function named(words, names) {
  const shown = names.slice(0, SHOWN).map((name) => make("li", {}, name));
  if (names.length > SHOWN) shown.push(make("li", {}, `and ${names.length - SHOWN} more`));
  const list = make("ul", { className: "names" }, ...shown);
  return make(
    "li",
    {},
    make("details", { open: names.length <= FEW }, make("summary", {}, words), list),
  );
}

async function submit(isDryRun) {
  const files = sent();
  clear();
  send.disabled = true;
  dryRun.disabled = true;
  try {
    const body = {
      tenantId: owner === null ? undefined : valueOf(owner),
      files: files.map(({ path, text }) => ({ path, content: text })),
      ...(report.files.length === 0
        ? {}
        : { report: await reportIn(report.files[0]).catch(atReport) }),
    };
    status.textContent = `The service receives and reads ${counted(files.length, "file")}, ${sizeOf(files)} …`;
    const query = new URLSearchParams();
    if (adopt.checked) query.set("adopt", "true");
    if (isDryRun) query.set("dryRun", "true");
    const answer = await (await request("POST", `/imports?${query.toString()}`, body)).json();
    if (!isDryRun) return location.assign(`/imports/${answer.id}`);
    showDryRun(answer);
  } catch (error) {
    const others = (error.faults ?? []).flatMap((fault) => placed(fault, files));
    if (error.isShown !== true) tell([error.message, ...others].join(" "));
  }
  ready();
}

function atReport(error) {
  faultAt(report, error.message);
  error.isShown = true;
  throw error;
}

/** Shows a fault at its input; the words of one that has none. */
function placed({ pointer = "", detail }, files) {
  const [, member, at] = pointer.split("/");
  const input = { report, tenantId: owner }[member] ?? null;
  if (input !== null) {
    faultAt(input, detail);
    return [];
  }
  const path = member === "files" ? files[Number(at)]?.path : undefined;
  return [path === undefined ? detail : `${path}: ${detail}`];
}

function faultAt(input, words) {
  input.setAttribute("aria-invalid", "true");
  input.after(make("span", { className: "fault" }, words));
  (input.matches("fieldset") ? input.querySelector("input") : input).focus();
}

function clear() {
  problem.hidden = true;
  result.replaceChildren();
  for (const fault of form.querySelectorAll(".fault")) fault.remove();
  for (const input of form.querySelectorAll("[aria-invalid]"))
    input.removeAttribute("aria-invalid");
}

/** A dry run has no page: nothing of it is stored. */
function showDryRun({ progress, counts, draft, warnings }) {
  const { parsed, failed, skipped } = progress;
  const lines = [
    `${counted(parsed, "file")} read, ${failed} failed, ${skipped} skipped.`,
    `${counted(counts.resources, "resource")} in ${counted(counts.modules, "module")}.`,
    draft === null
      ? "There is no draft: nothing of it can be converted."
      : `The draft has ${counted(draft.mapped, "resource")} whole and ${draft.partlyMapped} in part; ${draft.notMapped} ${draft.notMapped === 1 ? "is" : "are"} left out.`,
  ];
  const places = warnings.map(
    ({ file, line, message }) =>
      `${[file, line === null ? null : `line ${line}`].filter(Boolean).join(", ")}${file === null ? "" : ": "}${message}`,
  );
  result.replaceChildren(
    make("h2", { tabIndex: -1 }, "Dry run"),
    make("p", { className: "soft" }, "Nothing was stored."),
    ...lines.map((line) => make("p", {}, line)),
    ...(places.length === 0
      ? []
      : [make("ul", {}, named(counted(counts.warnings, "warning"), places))]),
  );
  result.querySelector("h2").focus();
}

function tell(words) {
  problem.textContent = words;
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function sizeOf(files) {
  const kib = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

/** An element with these properties and contents; what is text stays text. */
function make(tag, properties, ...contents) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...contents);
  return element;
}
