/** The log on the page: its lines, their filter and the download. */
import { dataOf, setData } from "#console/browser/page/data.ts";
import { make } from "#console/browser/page/make.ts";
import { part, parts } from "#console/browser/page/part.ts";
import { type LogLevel, type LogLine, timeOfDay } from "#console/shared/log-line.ts";
import { ids, selectorOf } from "#console/shared/page-names.ts";
import { type LogEntry, logText } from "./log-text.ts";

/** A line as the page shows it. */
export interface Shown extends LogEntry {
  resource: string | undefined;
  /** Whether it ends a step. */
  isDone: boolean;
}

/** The levels of each choice of the filter. */
const filters: ReadonlyMap<string, readonly LogLevel[]> = new Map([
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
]);

export class LogView {
  readonly #log = part(document, selectorOf(ids.log), HTMLOListElement);
  readonly #search = part(document, selectorOf(ids.logSearch), HTMLInputElement);
  readonly #level = part(document, selectorOf(ids.logLevel), HTMLSelectElement);

  /** Shows the tools. `name`: the name of the downloaded file. */
  constructor(name: string) {
    part(document, selectorOf(ids.logTools), HTMLElement).hidden = false;
    this.#search.addEventListener("input", () => this.#filter(this.#lines()));
    this.#level.addEventListener("change", () => this.#filter(this.#lines()));
    part(document, selectorOf(ids.logSave), HTMLButtonElement).addEventListener("click", () =>
      download(name, logText(this.shown())),
    );
  }

  shown(): Shown[] {
    return this.#lines().map(shownIn);
  }

  /** Adds lines. Stays at the end of the log if the reader is there. */
  add(added: readonly LogLine[]): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
    const lines = added.map(lineOf);
    this.#log.append(...lines);
    this.#filter(lines);
    if (isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #lines(): HTMLLIElement[] {
    return parts(this.#log, "li", HTMLLIElement);
  }

  #filter(lines: readonly HTMLLIElement[]): void {
    const text = this.#search.value.trim().toLowerCase();
    const levels = filters.get(this.#level.value);
    for (const line of lines)
      line.hidden =
        levels?.includes(levelOf(line)) === false || !line.textContent.toLowerCase().includes(text);
  }
}

/** As `LogLines` (log-lines.tsx) writes it. */
function lineOf({ seq, at, level, message, resource, elapsedMs }: LogLine): HTMLLIElement {
  const line = make(
    "li",
    { value: seq },
    make("time", { dateTime: at }, timeOfDay(at)),
    " ",
    make("span", {}, message),
  );
  setData(line, "level", level);
  if (resource !== undefined) setData(line, "resource", resource);
  if (elapsedMs !== undefined) setData(line, "done", true);
  return line;
}

function shownIn(line: HTMLLIElement): Shown {
  return {
    at: part(line, "time", HTMLTimeElement).dateTime,
    level: levelOf(line),
    message: part(line, "span", HTMLSpanElement).textContent,
    resource: dataOf(line, "resource"),
    isDone: dataOf(line, "done") !== undefined,
  };
}

function levelOf(line: Element): LogLevel {
  const level = dataOf(line, "level");
  return level === "warn" || level === "error" ? level : "info";
}

function download(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}
