/**
 * Optional enhancements of the API reference: results of a search while one types, copy buttons, and the current place
 * in the sidebar. The pages are complete without them.
 */

const main = document.querySelector("main");
const form = document.querySelector(".search");
const input = document.querySelector("#search");
const side = document.querySelector(".side");
const page = [...main.children];

/** The results page's own list, shown in place of this page. */
async function showResults() {
  const query = input.value.trim();
  if (query === "") {
    main.replaceChildren(...page);
    return;
  }
  const answer = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`);
  const text = await answer.text();
  // Somebody typed on while this was on its way.
  if (query !== input.value.trim()) return;
  const results = new DOMParser().parseFromString(text, "text/html").querySelector(".results");
  if (results === null) return;
  main.replaceChildren(results);
  window.scrollTo({ top: 0, behavior: "instant" });
}

input.addEventListener("input", () => {
  // The page stays, and Enter still searches.
  showResults().catch(() => {});
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select") !== null;
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === "Escape" && event.target === input) {
    event.preventDefault();
    input.value = "";
    main.replaceChildren(...page);
    input.blur();
  }
});

/** A result or a link that leads to a place of this page shows it again. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href*='#']");
  if (link === null || link.pathname !== location.pathname) return;
  if (page[0].isConnected) return;
  input.value = "";
  main.replaceChildren(...page);
});

/** Opens the event that a deep link points to. */
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();

for (const sample of document.querySelectorAll("figure code"))
  sample.textContent = sample.textContent.replaceAll("$ORIGIN", location.origin);

if (navigator.clipboard !== undefined)
  for (const figure of document.querySelectorAll("figure")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    const showLabel = (label) => {
      button.textContent = label;
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    };
    button.addEventListener("click", () => {
      navigator.clipboard.writeText(figure.querySelector("pre").textContent).then(
        () => showLabel("Copied"),
        () => showLabel("Copy failed"),
      );
    });
    figure.append(button);
  }

/** Marks the place at the top of the window in the sidebar. */
const links = new Map(
  [...side.querySelectorAll('a[href^="#"]')].map((link) => [
    link.getAttribute("href").slice(1),
    link,
  ]),
);
let current;
function mark(id) {
  const link = links.get(id);
  if (link === undefined || link === current) return;
  current?.removeAttribute("aria-current");
  current = link;
  link.setAttribute("aria-current", "true");
  const { top, bottom } = link.getBoundingClientRect();
  const visible = side.getBoundingClientRect();
  if (top < visible.top || bottom > visible.bottom) link.scrollIntoView({ block: "nearest" });
}
const observer = new IntersectionObserver(
  (changes) => {
    const change = changes.find(({ isIntersecting }) => isIntersecting);
    if (change !== undefined) mark(change.target.id);
  },
  { rootMargin: "-72px 0px -75% 0px" },
);
for (const target of document.querySelectorAll("article, .topic")) observer.observe(target);
