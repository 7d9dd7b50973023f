/** The references of a Markdown page to the project, and the ones that lead nowhere. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** The facts of the project to which its pages may refer. */
export interface Project {
  /** Every file and folder, below the project, with `/` between. */
  paths: ReadonlySet<string>;
  npmScripts: ReadonlySet<string>;
  /** Every word of the TypeScript sources. */
  identifiers: ReadonlySet<string>;
  /** The text of a page, by its path. */
  pages: ReadonlyMap<string, string>;
}

const notOurs = new Set(["node_modules", "dist", ".git", ".wrangler"]);

/** Reads the project in this folder. */
export function readProject(root: string): Project {
  const exclude = (name: string) => notOurs.has(path.basename(name));
  const paths = globSync("**/*", { cwd: root, exclude }).map((file) => file.replaceAll("\\", "/"));
  const read = (file: string) => readFileSync(path.join(root, file), "utf8");
  const sources = paths.filter((file) => /^(src|test|scripts|lint|bench)\/.*\.tsx?$/.test(file));
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  return {
    paths: new Set([...paths, ".ci/run"]),
    npmScripts: new Set(Object.keys(scripts)),
    identifiers: new Set(sources.flatMap((file) => read(file).match(/[A-Za-z_$][\w$]*/g) ?? [])),
    pages: new Map(paths.filter((file) => file.endsWith(".md")).map((file) => [file, read(file)])),
  };
}

const folders = "src|test|scripts|docs|lint|bench|examples|migrations|public";
const projectPath = new RegExp(`(?<![\\w./-])(?:${folders})/[\\w./<>*-]*`, "g");
const inlineCode = /(?<!`)`([^`\n]+)`(?!`)/g;
const fileName = /^[\w.<>*/#-]+\.(?:tsx?|md)$/;
/** `call.read(…)`, `route(declaration)`, `StepExecutor`, `takeQuota`. */
const identifier = /^(?:(?:[a-z]\w*\.)?([A-Za-z]\w*)\(.*\)|([A-Za-z][a-z]+(?:[A-Z][a-z]+)+))$/;
const link = /\]\(([^()\s]+)\)/g;
const npmScript = /npm run (?:--silent )?([\w:-]+)/g;

/** Every reference of the page that leads nowhere, each as `what: reference`. */
export function brokenReferences(page: string, project: Project): string[] {
  const text = project.pages.get(page) ?? "";
  const codes = matches(text, inlineCode);
  const broken = [
    ...matches(text, projectPath, 0)
      .map((found) => found.replace(/[./]+$/, ""))
      .filter((found) => !isPath(found, project))
      .map((found) => `path: ${found}`),
    ...codes
      .filter((code) => fileName.test(code) && !code.startsWith("."))
      .filter((code) => !isPath(`**/${code.replace(/^#/, "src/")}`, project))
      .map((code) => `file: ${code}`),
    ...codes
      .flatMap((code) => (identifier.exec(code) ?? []).slice(1))
      .filter((name) => name !== undefined)
      .filter((name) => !project.identifiers.has(name))
      .map((name) => `identifier: ${name}`),
    ...matches(text, link)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page, target, project))
      .map((target) => `link: ${target}`),
    ...matches(text, npmScript)
      .filter((name) => !project.npmScripts.has(name))
      .map((name) => `npm script: ${name}`),
  ];
  return [...new Set(broken)];
}

function matches(text: string, pattern: RegExp, group = 1): string[] {
  return Array.from(text.matchAll(pattern), (match) => match[group] ?? "");
}

/** `<placeholders>` and stars stand for anything. */
function isPath(pattern: string, { paths }: Project): boolean {
  const glob = pattern.replaceAll(/<[\w-]*>/g, "*");
  if (!glob.includes("*")) return paths.has(glob);
  // Filters first, because each comparison with a pattern parses the pattern.
  const end = glob.slice(glob.lastIndexOf("*") + 1).replace(/^\//, "");
  for (const known of paths) if (known.endsWith(end) && path.matchesGlob(known, glob)) return true;
  return false;
}

function leadsSomewhere(page: string, target: string, project: Project): boolean {
  const [file = "", anchor] = target.split("#");
  const to = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
  if (to !== page && !project.paths.has(to.replace(/\/$/, ""))) return false;
  return anchor === undefined || anchorsOf(project.pages.get(to) ?? "").includes(anchor);
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): string[] {
  return matches(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}
