import { withCompilerApi } from "./with-compiler-api.ts";

/** Writes the functions and types that hey-api makes of the document, for fetch. */
export async function writeSdk(document: object, directory: string): Promise<void> {
  await withCompilerApi("/@hey-api/", async () => {
    const { createClient } = await import("@hey-api/openapi-ts");
    await createClient({
      input: document as Record<string, unknown>,
      output: { path: directory, module: { extension: ".ts" } },
      plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
      logs: { level: "silent" },
    });
  });
}
