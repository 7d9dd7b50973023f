import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { withCompilerApi } from "./with-compiler-api.ts";

/** Writes the types that openapi-typescript makes of the document. */
export async function writeTypes(document: object, file: string): Promise<void> {
  await withCompilerApi("/openapi-typescript/", async () => {
    const { default: openapiTs, astToString } = await import("openapi-typescript");
    // What has a default may be left out of a request; answers say by `required` what they always have.
    const options = { defaultNonNullable: false };
    const types = astToString(
      await openapiTs(document as Parameters<typeof openapiTs>[0], options),
    );
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, types);
  });
}
