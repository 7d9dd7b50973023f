import { part } from "#console/browser/page/part.ts";

/** Shows the results page's own list in place of the page's content, while one types. `/` starts, Escape ends. */
export function searchWhileTyping(): void {
  const main = part(document, "main", HTMLElement);
  const form = part(document, ".search", HTMLFormElement);
  const input = part(document, "#search", HTMLInputElement);
  const page = [...main.children];
  const showPage = (): void => {
    input.value = "";
    main.replaceChildren(...page);
  };

  input.addEventListener("input", () => {
    // Without the results the page stays, and Enter still searches.
    showResults(main, form, input, page).catch(() => {});
  });
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      input.focus();
      input.select();
    } else if (event.key === "Escape" && event.target === input) {
      event.preventDefault();
      showPage();
      input.blur();
    }
  });
  // A result or a link that leads to a place of this page shows it again.
  document.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest("a[href*='#']") : null;
    if (!(link instanceof HTMLAnchorElement) || link.pathname !== location.pathname) return;
    if (page[0]?.isConnected !== true) showPage();
  });
}

async function showResults(
  main: HTMLElement,
  form: HTMLFormElement,
  input: HTMLInputElement,
  page: readonly Element[],
): Promise<void> {
  const query = input.value.trim();
  if (query === "") {
    main.replaceChildren(...page);
    return;
  }
  const answer = await fetch(`${form.action}?${new URLSearchParams({ q: query }).toString()}`);
  const text = await answer.text();
  // The reader may have typed on.
  if (query !== input.value.trim()) return;
  const results = new DOMParser().parseFromString(text, "text/html").querySelector(".results");
  if (results === null) return;
  main.replaceChildren(results);
  window.scrollTo({ top: 0, behavior: "instant" });
}
