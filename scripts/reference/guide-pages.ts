/** Renders the pages of `docs/` that users of the product need, and its examples, as pages of the reference. */
import { Marked, type Tokens } from "marked";
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import type { GuidePage } from "#areas/docs/content/guide-page.ts";
import { projectRoot } from "../files/project-root.ts";

const guides = [
  { file: "template-language.md", path: "/docs/language" },
  { file: "safeguards.md", path: "/docs/safeguards" },
  { file: "limits.md", path: "/docs/limits" },
  { file: "glossary.md", path: "/docs/glossary" },
] as const;
const EXAMPLES_PATH = "/docs/examples";

export async function guidePages(): Promise<GuidePage[]> {
  const pages = await Promise.all(
    guides.map(async (guide) =>
      render(guide.path, await readFile(path.join(projectRoot, "docs", guide.file), "utf8")),
    ),
  );
  return [...pages, render(EXAMPLES_PATH, await examplesText())];
}

/** The example templates in one text, each with the comment that it begins with. */
async function examplesText(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob("examples/*.yaml", { cwd: projectRoot })) files.push(file);
  const parts = await Promise.all(
    files.toSorted().map(async (file) => {
      const source = await readFile(path.join(projectRoot, file), "utf8");
      return `## ${path.basename(file, ".yaml")}\n\n\`\`\`yaml\n${source.trimEnd()}\n\`\`\`\n`;
    }),
  );
  return [
    "# Example templates",
    "Each deploys as it is. Copy one to start from it.",
    ...parts,
  ].join("\n\n");
}

function render(at: string, markdown: string): GuidePage {
  const places: { id: string; title: string }[] = [];
  const taken = new Set<string>();
  let title = "";
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const html = this.parser.parseInline(tokens);
        const words = plain(text);
        if (depth === 1) {
          title = words;
          return `<h1>${html}</h1>\n`;
        }
        const id = uniqueSlug(words, taken);
        if (depth === 2) places.push({ id, title: words });
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens);
        const to = addressOf(href);
        return to === undefined ? text : `<a href="${escaped(to)}">${text}</a>`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { path: at, title, html, places };
}

/** The page of a link. Undefined: it leads to a file that is no page of the reference. */
function addressOf(href: string): string | undefined {
  if (/^(?:https:|#)/.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const guide = guides.find((one) => one.file === file);
  if (guide === undefined) return undefined;
  return anchor === undefined ? guide.path : `${guide.path}#${anchor}`;
}

/** The id that GitHub gives the heading, which links within the pages name. */
function uniqueSlug(words: string, taken: Set<string>): string {
  const slug = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
  for (let number = 0; ; number += 1) {
    const id = number === 0 ? slug : `${slug}-${number}`;
    if (taken.has(id)) continue;
    taken.add(id);
    return id;
  }
}

function plain(text: string): string {
  return text.replaceAll(/[`*]/g, "");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
