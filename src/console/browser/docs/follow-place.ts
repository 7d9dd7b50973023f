import { part, parts } from "#console/browser/page/part.ts";

/** Marks the place at the top of the window in the sidebar. */
export function followPlace(): void {
  const side = part(document, ".side", HTMLElement);
  const links = new Map(
    parts(side, 'a[href^="#"]', HTMLAnchorElement).map((link) => [
      link.getAttribute("href")?.slice(1),
      link,
    ]),
  );
  let current: HTMLAnchorElement | undefined;
  const mark = (id: string): void => {
    const link = links.get(id);
    if (link === undefined || link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    link.setAttribute("aria-current", "true");
    const { top, bottom } = link.getBoundingClientRect();
    const visible = side.getBoundingClientRect();
    if (top < visible.top || bottom > visible.bottom) link.scrollIntoView({ block: "nearest" });
  };
  const observer = new IntersectionObserver(
    (changes) => {
      const change = changes.find(({ isIntersecting }) => isIntersecting);
      if (change !== undefined) mark(change.target.id);
    },
    { rootMargin: "-72px 0px -75% 0px" },
  );
  for (const target of document.querySelectorAll("article, .topic")) observer.observe(target);
}
