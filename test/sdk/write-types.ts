import { mkdir, writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import path from "node:path";

/** Writes the types that openapi-typescript makes of the document. */
export async function writeTypes(document: object, file: string): Promise<void> {
  // It prints with the compiler's API in JavaScript, which TypeScript 7 has not: this package has a copy of it.
  const compiler = import.meta.resolve("@ts-morph/common");
  const shim = `export { ts as default } from ${JSON.stringify(compiler)};`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "typescript" && (context.parentURL ?? "").includes("/openapi-typescript/")
        ? {
            url: `data:text/javascript,${encodeURIComponent(shim)}`,
            format: "module",
            shortCircuit: true,
          }
        : next(specifier, context),
  });
  try {
    const { default: openapiTs, astToString } = await import("openapi-typescript");
    // What has a default may be left out of a request; answers say by `required` what they always have.
    const options = { defaultNonNullable: false };
    const types = astToString(
      await openapiTs(document as Parameters<typeof openapiTs>[0], options),
    );
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, types);
  } finally {
    hooks.deregister();
  }
}
