/** Replaces the live parts of the page by those of the same page, fetched again. Only the service knows how states look. */
import { start } from "#console/browser/forms/acts.ts";
import { drawGraphs } from "#console/browser/graph/graphs.ts";
import { dataOf, setData } from "#console/browser/page/data.ts";
import { parts } from "#console/browser/page/part.ts";
import { withData } from "#console/shared/page-names.ts";

/** Lines that follow each other closely are one reason to fetch the page. */
const PAUSE_MS = 400;

export class LiveParts {
  readonly #replaced: () => void;
  #due: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;

  /** `replaced`: called after each replacement. */
  constructor(replaced: () => void) {
    this.#replaced = replaced;
  }

  /** Replaces the parts after a short pause. */
  readSoon(): void {
    clearTimeout(this.#due);
    this.#due = setTimeout(() => void this.#read(), PAUSE_MS);
  }

  async #read(): Promise<void> {
    if (this.#isReading) return this.readSoon();
    this.#isReading = true;
    try {
      const response = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!response.ok || response.redirected) return;
      const now = new DOMParser().parseFromString(await response.text(), "text/html");
      for (const shown of parts(document, withData("live"), HTMLElement)) replace(shown, now);
      drawGraphs(document);
      document.title = now.title;
      this.#replaced();
    } catch {
      // The next line of the log is the next try.
    } finally {
      this.#isReading = false;
    }
  }
}

/** Replaces one part if it changed. Its details stay open. */
function replace(shown: HTMLElement, now: Document): void {
  const other = now.getElementById(shown.id);
  if (other === null || other.outerHTML === dataOf(shown, "shown")) return;
  const graph = dataOf(shown, "graph");
  if (graph !== undefined && graph === dataOf(other, "graph")) return;
  const opened = new Set(parts(shown, "details[open]", HTMLDetailsElement).map(keyOf));
  const fresh = document.importNode(other, true);
  setData(fresh, "shown", other.outerHTML);
  for (const details of parts(fresh, "details", HTMLDetailsElement))
    if (opened.has(keyOf(details))) details.open = true;
  shown.replaceWith(fresh);
  start(fresh);
}

/** The resource, or the loop or component, of which these are the details. */
function keyOf(details: Element): string | undefined {
  const row = details.closest(`${withData("resource")}, ${withData("part")}`);
  if (row === null) return undefined;
  const name = dataOf(row, "part");
  return name === undefined ? dataOf(row, "resource") : `part ${name}`;
}
