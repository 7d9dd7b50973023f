/** The scripts of the pages, each bundled from `src/console/browser/<name>.ts`. */

/** The scripts that pages of the console load. */
export const pageScripts = [
  "console",
  "deployment",
  "graph",
  "import",
  "live",
  "template",
] as const;
export type PageScript = (typeof pageScripts)[number];

/** The other scripts: of the API reference, and of the Worker that arranges graphs. */
export const otherScripts = ["docs", "graph-arrange"] as const;

export function scriptAddress(name: PageScript | (typeof otherScripts)[number]): string {
  return `/assets/console/${name}.js`;
}

/** The functions of expressions in words, for the editor's completion. */
export const functionsAddress = "/assets/console/functions.json";
