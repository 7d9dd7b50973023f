import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/** Writes what orval makes of the document: functions for fetch with their types, or schemas of zod. */
export async function writeOrval(
  document: object,
  client: "fetch" | "zod",
  directory: string,
): Promise<void> {
  const { generate } = await import("orval");
  await mkdir(directory, { recursive: true });
  const target = path.join(directory, "openapi.json");
  await writeFile(target, JSON.stringify(document));
  await generate({
    input: { target },
    output: { target: path.join(directory, "api.ts"), client, mode: "single" },
  });
}

/** Writes the class that swagger-typescript-api makes of the document, for fetch. */
export async function writeSwaggerClient(document: object, directory: string): Promise<void> {
  const { generateApi } = await import("swagger-typescript-api");
  await generateApi({
    spec: document,
    output: directory,
    fileName: "api.ts",
    silent: true,
  });
  const file = path.join(directory, "api.ts");
  // It asks the compiler not to look: here it shall.
  await writeFile(file, (await readFile(file, "utf8")).replace(/^\/\/ @ts-nocheck$/m, ""));
}
