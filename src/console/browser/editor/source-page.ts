/**
 * The source of a template on its page, as `SourceSection` (source-section.tsx) writes it. It checks the text while it is
 * typed. Without the editor's library, the form's own text area is used.
 */
import { textNamed } from "#console/browser/forms/controls.ts";
import { dataOf, jsonData } from "#console/browser/page/data.ts";
import { optionalPart, part, parts } from "#console/browser/page/part.ts";
import { refusalIn } from "#console/browser/page/refusal.ts";
import { answerOf, readJson, request } from "#console/browser/page/request.ts";
import { fieldNames } from "#console/shared/form-data.ts";
import { ids, selectorOf } from "#console/shared/page-names.ts";
import { countWords, type Diagnostic, type SourceResource } from "#console/shared/source-words.ts";
import { itemOf } from "./diagnostic-list.ts";
import { showResources } from "./shown-resources.ts";
import type { SourceEditor } from "./source-editor.ts";

/** A pause in typing that is worth a check. */
const PAUSE_MS = 400;
const RETRY_MS = 10_000;

interface Validation {
  diagnostics: readonly Diagnostic[];
  resources: readonly SourceResource[];
}

export class SourcePage {
  readonly #section: HTMLElement;
  readonly #lines: HTMLElement;
  readonly #status: HTMLElement;
  readonly #list: HTMLElement;
  /** Null where the source is read-only. */
  readonly #form: EditForm | null;
  readonly #initial: string;
  #editor: SourceEditor | undefined;
  #due: ReturnType<typeof setTimeout> | undefined;
  /** Counts the changes of the text: an answer about an older text is dropped. */
  #typed = 0;
  #isChecked = false;
  #shownResources = "";

  constructor(section: HTMLElement) {
    this.#section = section;
    this.#lines = part(section, selectorOf(ids.sourceLines), HTMLElement);
    this.#status = part(section, selectorOf(ids.sourceStatus), HTMLElement);
    this.#list = part(section, selectorOf(ids.diagnostics), HTMLElement);
    const form = optionalPart(section, "form", HTMLFormElement);
    this.#form = form === null ? null : new EditForm(form);
    const lines = parts(this.#lines, "code", HTMLElement);
    this.#initial = lines.map(({ textContent }) => textContent).join("\n");
  }

  async start(): Promise<void> {
    const form = this.#form;
    if (form !== null) form.area.value = this.#initial;
    const place = form?.place ?? this.#lines;
    const diagnostics = jsonData(this.#list, "diagnostics") ?? [];
    await this.#openEditor(place, diagnostics);
    this.#lines.hidden = this.#editor !== undefined || form !== null;
    for (const [at, item] of [...this.#list.children].entries()) this.#link(item, diagnostics[at]);
    if (form === null) return;
    place.hidden = this.#editor !== undefined;
    const keys = part(this.#section, selectorOf(ids.sourceKeys), HTMLElement);
    keys.hidden = this.#editor === undefined;
    place.after(keys);
    // Before the listener that sends the form.
    form.element.addEventListener("submit", (event) => void this.#beforeSaving(form, event), {
      capture: true,
    });
    addEventListener("beforeunload", (event) => {
      const isSent = form.submit.disabled;
      if (this.#text(form) !== this.#initial && !isSent) event.preventDefault();
    });
  }

  async #openEditor(place: HTMLElement, diagnostics: readonly Diagnostic[]): Promise<void> {
    const form = this.#form;
    const changed = form === null ? () => {} : () => this.#changed(form);
    try {
      const { newEditor } = await import("./source-editor.ts");
      this.#editor = newEditor(place, {
        text: this.#initial,
        isEditable: form !== null,
        diagnostics,
        onChange: changed,
        onSave: () => form?.element.requestSubmit(),
      });
    } catch (error) {
      console.warn("The editor could not be loaded", error);
      form?.area.addEventListener("input", changed);
    }
  }

  #text({ area }: EditForm): string {
    return this.#editor?.text() ?? area.value;
  }

  #changed(form: EditForm): void {
    this.#typed += 1;
    this.#checkIn(form, PAUSE_MS);
  }

  #checkIn(form: EditForm, delayMs: number): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => void this.#check(form, this.#typed), delayMs);
  }

  async #check(form: EditForm, asked: number): Promise<void> {
    const source = this.#text(form);
    if (source.trim() === "") return this.#show([], "There is nothing to check yet.");
    const tenantId =
      dataOf(this.#section, "tenant") ?? textNamed(form.element, fieldNames.tenantId);
    try {
      const body = { source, ...(tenantId === "" ? {} : { tenantId }) };
      const answer = await request("POST", "/templates/validate", body);
      const { diagnostics, resources } = await answerOf<Validation>(answer);
      if (asked !== this.#typed) return;
      this.#show(diagnostics, countWords(diagnostics));
      this.#showResources(resources);
    } catch (error) {
      if (asked !== this.#typed) return;
      this.#status.textContent = `Not checked: ${refusalIn(error).message}`;
      this.#checkIn(form, RETRY_MS);
    }
  }

  #show(diagnostics: readonly Diagnostic[], words: string): void {
    this.#status.textContent = words;
    const items = diagnostics.map(itemOf);
    for (const [at, item] of items.entries()) this.#link(item, diagnostics[at]);
    this.#list.replaceChildren(...items);
    this.#editor?.show(diagnostics);
  }

  /** A source that is no YAML for a moment keeps the shown resources. */
  #showResources(resources: readonly SourceResource[]): void {
    const text = JSON.stringify(resources);
    if (resources.length === 0 || text === this.#shownResources) return;
    this.#shownResources = text;
    showResources(part(document, selectorOf(ids.makes), HTMLElement), resources);
  }

  /** Leads the link of a diagnostic to its place in the editor. */
  #link(item: Element, diagnostic: Diagnostic | undefined): void {
    item.querySelector("a")?.addEventListener("click", (event) => {
      if (this.#editor === undefined || diagnostic === undefined) return;
      event.preventDefault();
      this.#editor.goTo(diagnostic.line, diagnostic.column);
    });
  }

  /** Takes the text over, and asks if somebody else has saved a version since the page came. */
  async #beforeSaving(form: EditForm, event: Event): Promise<void> {
    form.area.value = this.#text(form);
    if (this.#isChecked) {
      this.#isChecked = false;
      return;
    }
    const template = dataOf(this.#section, "template");
    const latest = dataOf(this.#section, "latest");
    if (template === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (form.area.value === this.#initial && latest !== undefined) {
      this.#status.textContent = "The source is as it was: there is nothing to save.";
      return;
    }
    const now = await newestVersion(template);
    const question = `Version ${now} was added meanwhile. Save a version without what it changed?`;
    if (now !== null && String(now) !== latest && !confirm(question)) return;
    this.#isChecked = true;
    form.element.requestSubmit();
  }
}

/** The form whose text area has the source. */
class EditForm {
  readonly element: HTMLFormElement;
  readonly area: HTMLTextAreaElement;
  readonly submit: HTMLButtonElement;

  constructor(element: HTMLFormElement) {
    this.element = element;
    this.area = part(element, `[name=${fieldNames.source}]`, HTMLTextAreaElement);
    this.submit = part(element, "button[type=submit]", HTMLButtonElement);
  }

  /** The text area with its label. */
  get place(): HTMLElement {
    return this.area.closest("label") ?? this.area;
  }
}

/** Null also where it cannot be read: saving says why. */
async function newestVersion(template: string): Promise<number | null> {
  const known = await readJson<{ latestVersion: number | null }>(`/api/v1/templates/${template}`);
  return known?.latestVersion ?? null;
}
