/** Bundles the scripts of the pages from `src/console/browser/`, with the libraries that they import. */
import { build, type BuildOptions, type Metafile } from "esbuild";
import path from "node:path";
import { otherScripts, pageScripts } from "#console/shared/scripts.ts";
import { projectRoot } from "../files/project-root.ts";

/** The folder of the files that several scripts share. Their names carry a hash of their content. */
export const PARTS = "parts";

const sources = "src/console/browser";

/** A bundled file. */
export interface BundledFile {
  /** Relative to the assets of the console: `console.js`, `parts/chunk-ABCD.js`. */
  name: string;
  text: string;
  /** The names of the files that it loads at once. A dynamic import loads its file later. */
  loads: readonly string[];
  /** The paths of its sources, relative to the project. */
  sources: readonly string[];
}

/** The same sources give the same files. Licences stay at the ends of the texts. */
export async function bundleScripts(): Promise<BundledFile[]> {
  const parts = { splitting: true, chunkNames: `${PARTS}/[name]-[hash]` };
  const made = await Promise.all([
    bundle(pageScripts, parts),
    // No page loads them together with others.
    ...otherScripts.map((name) => bundle([name], {})),
  ]);
  return made.flat();
}

async function bundle(names: readonly string[], options: BuildOptions): Promise<BundledFile[]> {
  const { outputFiles = [], metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: names.map((name) => `${sources}/${name}.ts`),
    outdir: "out",
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    legalComments: "eof",
    metafile: true,
    write: false,
    logLevel: "silent",
    ...options,
  });
  const outputs: Metafile["outputs"] = metafile?.outputs ?? {};
  return outputFiles.map((file) => {
    const output = path.relative(projectRoot, file.path);
    const { imports = [], inputs = {} } = outputs[output] ?? {};
    return {
      name: nameOf(output),
      text: file.text,
      loads: imports
        .filter(({ kind }) => kind === "import-statement")
        .map((imported) => nameOf(imported.path)),
      sources: Object.keys(inputs),
    };
  });
}

function nameOf(output: string): string {
  return path.posix.relative("out", output);
}
