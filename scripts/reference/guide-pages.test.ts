import { expect, it } from "vitest";
import { guidePages } from "./guide-pages.ts";

it("has the template language and examples, with links that lead to a page or are texts", async () => {
  const pages = await guidePages();
  const [language, ...others] = pages;
  expect(language).toMatchObject({ path: "/docs/language", title: "The template language" });
  expect(language?.places.length).toBeGreaterThan(10);
  const examples = others.at(-1);
  expect(examples?.html).toContain("name: three-tier");
  const known = new Map(pages.map(({ path, html }) => [path, html]));
  const broken = pages.flatMap(({ path, html }) =>
    [...html.matchAll(/<a href="([^"]*)"/g)]
      .map(([, href = ""]) => href)
      .filter((href) => !href.startsWith("https:"))
      .filter((href) => {
        const [page = "", anchor] = href.split("#");
        const target = known.get(page === "" ? path : page);
        return target === undefined || (anchor !== undefined && !target.includes(`id="${anchor}"`));
      }),
  );
  expect(broken).toEqual([]);
});
