/** Lets Node load the Worker's modules: `--import` of the processes that simulate. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { withoutJsx } from "../../scripts/files/without-jsx.ts";

const workersModule = new URL("workers-module.ts", import.meta.url).href;

/** Of the first ending that a module's address has. */
const sources: readonly (readonly [string, (file: string) => string])[] = [
  [".tsx", withoutJsx],
  [".json", jsonModule],
];

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "cloudflare:workers"
      ? { url: workersModule, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) => {
    const sourceOf = sources.find(([ending]) => url.endsWith(ending))?.[1];
    // A package reads its own files, which may be CommonJS.
    if (sourceOf === undefined || url.includes("/node_modules/")) return next(url, context);
    return { format: "module", shortCircuit: true, source: sourceOf(fileURLToPath(url)) };
  },
});

/** With its members as named exports, as the Worker's bundler gives them. */
function jsonModule(file: string): string {
  const text = readFileSync(file, "utf8");
  const names = Object.keys(JSON.parse(text) as object).map((name) => JSON.stringify(name));
  return [
    `const all = JSON.parse(${JSON.stringify(text)});`,
    "export default all;",
    ...names.map((name, at) => `const v${at} = all[${name}]; export { v${at} as ${name} };`),
  ].join("\n");
}
