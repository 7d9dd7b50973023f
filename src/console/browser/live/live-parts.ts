/** Replaces the live parts of the page by those of the same page, fetched again. Only the service knows how states look. */
import { start } from "#console/browser/forms/acts.ts";
import { drawGraphs } from "#console/browser/graph/graphs.ts";
import { dataOf, setData } from "#console/browser/page/data.ts";
import { parts } from "#console/browser/page/part.ts";
import { withData } from "#console/shared/page-names.ts";

/** The first change of several waits so long. Then the page is at most a second older than the service. */
const PAUSE_MS = 400;
/** The least time between two readings, each of which costs calls of the reader's quota. */
const BETWEEN_MS = 1_200;

export class LiveParts {
  readonly #replaced: () => void;
  #state: "idle" | "due" | "reading" | "reading, due" = "idle";
  #lastMs = -BETWEEN_MS;

  /** `replaced`: called after each replacement. */
  constructor(replaced: () => void = () => {}) {
    this.#replaced = replaced;
  }

  /** Replaces the parts after a short pause, however many changes follow meanwhile. */
  readSoon(): void {
    if (this.#state === "reading") this.#state = "reading, due";
    if (this.#state !== "idle") return;
    this.#state = "due";
    const wait = Math.max(PAUSE_MS, this.#lastMs + BETWEEN_MS - performance.now());
    setTimeout(() => void this.#read(), wait);
  }

  async #read(): Promise<void> {
    this.#lastMs = performance.now();
    this.#state = "reading";
    try {
      await this.#replaceAll();
    } catch {
      // The next line of the log is the next try.
    }
    const isDue = (this.#state as string) === "reading, due";
    this.#state = "idle";
    if (isDue) this.readSoon();
  }

  async #replaceAll(): Promise<void> {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!response.ok || response.redirected) return;
    const now = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const shown of parts(document, withData("live"), HTMLElement)) replace(shown, now);
    drawGraphs(document);
    document.title = now.title;
    this.#replaced();
  }
}

/** Replaces one part if it changed. Its details stay open. */
function replace(shown: HTMLElement, now: Document): void {
  const other = now.getElementById(shown.id);
  if (other === null || other.outerHTML === dataOf(shown, "shown")) return;
  if (isBeingFilled(shown) && other.querySelector("form") !== null) return;
  const graph = dataOf(shown, "graph");
  if (graph !== undefined && graph === dataOf(other, "graph")) return;
  const opened = new Set(parts(shown, "details[open]", HTMLDetailsElement).map(keyOf));
  const fresh = document.importNode(other, true);
  setData(fresh, "shown", other.outerHTML);
  for (const details of parts(fresh, "details", HTMLDetailsElement))
    if (opened.has(keyOf(details))) details.open = true;
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  shown.replaceWith(fresh);
  start(fresh);
  focusAgain(fresh, focused);
}

/** Keeps the place of who goes by keys: the link or the details that had the focus have it again. */
function focusAgain(fresh: HTMLElement, focused: Element | null): void {
  const href = focused?.getAttribute("href");
  const links = parts(fresh, "a", HTMLAnchorElement);
  if (href != null) links.find((link) => link.getAttribute("href") === href)?.focus();
  else if (focused?.tagName === "SUMMARY") {
    const key = keyOf(focused);
    const summaries = parts(fresh, "summary", HTMLElement);
    summaries.find((summary) => keyOf(summary) === key)?.focus();
  }
}

/** Whether the reader has typed something in it, which must stay. */
function isBeingFilled(shown: HTMLElement): boolean {
  const active = document.activeElement;
  return (
    (shown.contains(active) && active?.matches("input, select, textarea") === true) ||
    parts(shown, "textarea", HTMLTextAreaElement).some(({ value }) => value !== "")
  );
}

/** The resource, or the loop or component, of which these are the details. */
function keyOf(details: Element): string | undefined {
  const row = details.closest(`${withData("resource")}, ${withData("part")}`);
  if (row === null) return undefined;
  const name = dataOf(row, "part");
  return name === undefined ? dataOf(row, "resource") : `part ${name}`;
}
