/**
 * Optional enhancements of the API reference: search, copy buttons, and the current position in the sidebar. The page is
 * complete without them.
 */

const found = document.querySelector(".found");
const search = document.querySelector(".search");
const input = document.querySelector("#search");
const side = document.querySelector(".side");
const entries = [...document.querySelectorAll("article, .error, .event, .topic")].map(
  (element) => ({ element, text: element.textContent.toLowerCase() }),
);
const parts = [...document.querySelectorAll("main > section")];

search.hidden = false;
input.addEventListener("input", () => {
  show(input.value);
});
show(input.value);

/** Shows only entries that contain every word of the query. */
function show(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const searching = words.length > 0;
  let hits = 0;
  for (const { element, text } of entries) {
    const hit = words.every((word) => text.includes(word));
    element.hidden = !hit;
    if (hit) hits += 1;
  }
  for (const part of parts)
    part.hidden = searching && entriesOf(part).every(({ element }) => element.hidden);
  document.body.classList.toggle("searching", searching);
  found.hidden = !searching;
  found.textContent = searching
    ? `${hits === 0 ? "No" : hits} ${hits === 1 ? "result" : "results"} for “${query.trim()}”`
    : "";
  if (searching) window.scrollTo({ top: 0, behavior: "instant" });
}

function entriesOf(part) {
  return entries.filter(({ element }) => part.contains(element));
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select") !== null;
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (event.key === "Escape" && event.target === input) {
    input.value = "";
    show("");
    input.blur();
  }
});

/** A link to an element hidden by the search clears the search. */
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link === null || input.value === "") return;
  const target = document.getElementById(link.hash.slice(1));
  if (target === null || target.closest("[hidden]") !== null || target.matches(".area, .intro")) {
    input.value = "";
    show("");
  }
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

/** Highlights the section at the top of the page in the sidebar and opens its area. */
const links = new Map(
  [...side.querySelectorAll("a")].map((link) => [link.getAttribute("href").slice(1), link]),
);
let current;
function mark(id) {
  const link = links.get(id);
  if (link === undefined || link === current) return;
  current?.removeAttribute("aria-current");
  current = link;
  link.setAttribute("aria-current", "true");
  const area = link.closest("details");
  for (const other of side.querySelectorAll("details")) other.open = other === area;
  const { top, bottom } = link.getBoundingClientRect();
  const visible = side.getBoundingClientRect();
  if (top < visible.top || bottom > visible.bottom) link.scrollIntoView({ block: "nearest" });
}
const observer = new IntersectionObserver(
  (changes) => {
    const change = changes.find(({ isIntersecting }) => isIntersecting);
    if (change !== undefined)
      mark(links.has(change.target.id) ? change.target.id : change.target.closest("section").id);
  },
  { rootMargin: "-72px 0px -75% 0px" },
);
for (const target of document.querySelectorAll("article, .area > h2, .topic, .error, .event"))
  observer.observe(target);
