import { registerHooks } from "node:module";

/**
 * Runs generators that print with the compiler's API in JavaScript, which TypeScript 7 has not: `@ts-morph/common` has a
 * copy of it. `generator`: a part of their path.
 */
export async function withCompilerApi<T>(generator: string, run: () => Promise<T>): Promise<T> {
  const compiler = import.meta.resolve("@ts-morph/common");
  const shim = `export { ts as default } from ${JSON.stringify(compiler)};`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "typescript" && (context.parentURL ?? "").includes(generator)
        ? {
            url: `data:text/javascript,${encodeURIComponent(shim)}`,
            format: "module",
            shortCircuit: true,
          }
        : next(specifier, context),
  });
  try {
    return await run();
  } finally {
    hooks.deregister();
  }
}
