import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../files/project-root.ts";

const tsconfigRaw = readFileSync(path.join(projectRoot, "tsconfig.json"), "utf8");

/**
 * Loads a module of the Worker in Node. Node removes types but does not transform JSX, so esbuild does, as for the
 * Worker. The type checker does not follow the path: otherwise it would check the Worker with Node's types.
 */
export async function loadSource<T>(file: string): Promise<T> {
  const hooks = registerHooks({
    load: (url, context, next) =>
      url.endsWith(".tsx")
        ? { format: "module", shortCircuit: true, source: withoutJsx(fileURLToPath(url)) }
        : next(url, context),
  });
  try {
    return (await import(path.join(projectRoot, file))) as T;
  } finally {
    hooks.deregister();
  }
}

function withoutJsx(file: string): string {
  const source = readFileSync(file, "utf8");
  return transformSync(source, { loader: "tsx", sourcefile: file, tsconfigRaw }).code;
}
