import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../files/project-root.ts";
import { withoutJsx } from "../files/without-jsx.ts";

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
