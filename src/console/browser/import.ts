/** The script of a new import: reads the chosen files, shows which are sent and which are not, and sends them. */
import "./console.ts";
import { counted } from "#console/shared/counted.ts";
import { fieldNames } from "#console/shared/form-data.ts";
import { ids, selectorOf } from "#console/shared/page-names.ts";
import { controlNamed, valueOf } from "./forms/controls.ts";
import { clearFaults, focusFirstFault, showFault } from "./forms/faults.ts";
import type { CautionKind } from "./imports/caution.ts";
import { type DryRun, showDryRun } from "./imports/dry-run.ts";
import { chosenFiles, droppedFiles, type Found } from "./imports/find-files.ts";
import { type ReadFile, readFiles, type ReadFiles } from "./imports/read-files.ts";
import { reportIn } from "./imports/report.ts";
import { cautions, excessWords, leftOut, sizeWords } from "./imports/selection.ts";
import { requiredData } from "./page/data.ts";
import { part } from "./page/part.ts";
import { hideProblem, showProblem } from "./page/problem.ts";
import { type Fault, refusalIn } from "./page/refusal.ts";
import { answerOf, request } from "./page/request.ts";

const form = part(document, selectorOf(ids.import), HTMLFormElement);
const folder = part(form, selectorOf(ids.folder), HTMLInputElement);
const single = part(form, selectorOf(ids.files), HTMLInputElement);
const everyKind = part(form, selectorOf(ids.everyKind), HTMLInputElement);
const report = part(form, selectorOf(ids.report), HTMLInputElement);
const adopt = part(form, selectorOf(ids.adopt), HTMLInputElement);
const dryRun = part(form, selectorOf(ids.dryRun), HTMLButtonElement);
const send = part(form, "button[type=submit]", HTMLButtonElement);
const status = part(form, selectorOf(ids.status), HTMLElement);
const chosen = part(form, selectorOf(ids.chosen), HTMLElement);
const result = part(document, selectorOf(ids.result), HTMLElement);
/** Null for a person with one tenant. */
const owner = controlNamed(form, fieldNames.tenantId);
const limits = {
  files: Number(requiredData(form, "max-files")),
  fileBytes: Number(requiredData(form, "max-file-bytes")),
  totalBytes: Number(requiredData(form, "max-total-bytes")),
};

let found: Found | undefined;
/** Undefined while files are read. */
let read: ReadFiles | undefined;
/** The kinds of files that the reader keeps. */
const kept = new Set<CautionKind>();
let reading = 0;

form.hidden = false;
follow(folder, single);
follow(single, folder);
everyKind.addEventListener("change", () => void take(found));
report.addEventListener("change", showReady);
for (const kind of ["dragover", "dragleave", "drop"] as const)
  document.addEventListener(kind, (event) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return;
    // Otherwise the browser leaves the page for the file.
    event.preventDefault();
    form.classList.toggle("over", kind === "dragover");
    if (kind === "drop") void drop(event.dataTransfer);
  });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void submit(false);
});
dryRun.addEventListener("click", () => void submit(true));
showReady();

function follow(input: HTMLInputElement, other: HTMLInputElement): void {
  input.addEventListener("change", () => {
    other.value = "";
    void take(chosenFiles(input.files ?? []));
  });
}

async function drop(transfer: DataTransfer): Promise<void> {
  folder.value = "";
  single.value = "";
  status.textContent = "Looking through what you dropped …";
  try {
    await take(await droppedFiles(transfer));
  } catch {
    status.textContent = "";
    showProblem("The browser cannot read what you dropped. Choose the folder instead.");
  }
}

/** Reads the files, unless others are chosen meanwhile. */
async function take(files: Found | undefined): Promise<void> {
  if (files === undefined) return;
  found = files;
  reading += 1;
  const mine = reading;
  read = undefined;
  kept.clear();
  hideProblem();
  result.replaceChildren();
  showReady();
  const done = await readFiles(files, limits, {
    everyKind: everyKind.checked,
    progress: (at, of) => (status.textContent = `Reading file ${at + 1} of ${of} …`),
    isWanted: () => mine === reading,
  });
  if (mine !== reading) return;
  read = done;
  if (read.excess !== undefined)
    showProblem(`${excessWords(read.excess, limits)} Choose a smaller folder, or fewer files.`);
  const notes = cautions(read.files, (kind, isSent) => {
    if (isSent) kept.delete(kind);
    else kept.add(kind);
    showReady();
  });
  chosen.replaceChildren(...leftOut(read, limits), ...notes);
  showReady();
}

function filesToSend(): readonly ReadFile[] {
  return (
    read?.files.filter(({ caution }) => caution === undefined || !kept.has(caution.kind)) ?? []
  );
}

/** Says what would be sent, and lets it be sent if it can be. */
function showReady(): void {
  const files = filesToSend();
  const isOver = read?.excess !== undefined;
  const canSend = !isOver && (files.length > 0 || report.files?.length === 1);
  send.disabled = !canSend;
  dryRun.disabled = !canSend;
  status.textContent =
    found === undefined || isOver
      ? ""
      : `${counted(files.length, "file")}, ${sizeWords(files)}, will be sent.`;
}

async function submit(isDryRun: boolean): Promise<void> {
  const files = filesToSend();
  hideProblem();
  result.replaceChildren();
  clearFaults(form);
  send.disabled = true;
  dryRun.disabled = true;
  try {
    await sendFiles(files, isDryRun);
  } catch (error) {
    const { message, faults } = refusalIn(error);
    showProblem([message, ...faults.flatMap((fault) => showAtInput(fault, files))].join(" "));
    focusFirstFault(form);
  }
  showReady();
}

async function sendFiles(files: readonly ReadFile[], isDryRun: boolean): Promise<void> {
  const tenantId = owner === null ? undefined : valueOf(owner);
  const reportFile = report.files?.[0];
  const reported = reportFile === undefined ? undefined : await readReport(reportFile);
  if (reported === null) return;
  const body = {
    tenantId,
    files: files.map(({ path, text }) => ({ path, content: text })),
    report: reported,
  };
  status.textContent = `The service receives and reads ${counted(files.length, "file")}, ${sizeWords(files)} …`;
  const query = new URLSearchParams();
  if (adopt.checked) query.set("adopt", "true");
  if (isDryRun) query.set("dryRun", "true");
  const answer = await request("POST", `/imports?${query.toString()}`, body);
  if (isDryRun) return showDryRun(result, await answerOf<DryRun>(answer));
  const { id } = await answerOf<{ id: string }>(answer);
  location.assign(`/imports/${id}`);
}

/** Null: it is no report, which is shown at its input. */
async function readReport(file: File): Promise<object | null> {
  try {
    return await reportIn(file);
  } catch (error) {
    showFault(report, refusalIn(error).message);
    focusFirstFault(form);
    return null;
  }
}

/** Shows a fault at its input. Returns the words of one without an input. */
function showAtInput({ pointer = "", detail }: Fault, files: readonly ReadFile[]): string[] {
  const [, member, at] = pointer.split("/");
  const input = member === "report" ? report : member === fieldNames.tenantId ? owner : null;
  if (input !== null) {
    showFault(input, detail);
    return [];
  }
  const path = member === "files" ? files[Number(at)]?.path : undefined;
  return [path === undefined ? detail : `${path}: ${detail}`];
}
