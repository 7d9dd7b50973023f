/**
 * Makes the OpenAPI document that the Worker serves from its static assets, if the sources changed since it was made.
 * Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import { createHash, randomUUID } from "node:crypto";
import { glob, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../project-root.ts";

/** Below the directory of the static assets, where the Worker alone reads it. */
const openApiDirectory = path.join(projectRoot, "public/openapi");

/** Returns whether it made the document. */
export async function ensureOpenApi(directory = openApiDirectory): Promise<boolean> {
  const stamp = await stampOfSources();
  const [before] = await Promise.all(
    ["stamp", "openapi.json", "openapi.yaml"].map((name) =>
      readFile(path.join(directory, name), "utf8"),
    ),
  ).catch(() => [undefined]);
  if (before === stamp) return false;
  // Loaded only when needed: all contracts take a second.
  const { openApiTexts } = await import("./openapi-texts.ts");
  const { json, yaml } = await openApiTexts();
  await mkdir(directory, { recursive: true });
  // The stamp last: it says that what stands before it is whole.
  await replaceFile(path.join(directory, "openapi.json"), json);
  await replaceFile(path.join(directory, "openapi.yaml"), yaml);
  await replaceFile(path.join(directory, "stamp"), stamp);
  return true;
}

/** Of everything that the document can depend on, known or not: a document that is old would be believed. */
async function stampOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(["src/**/*.ts", "scripts/openapi/*.ts"], { cwd: projectRoot }))
    if (!file.endsWith(".test.ts")) files.push(file);
  const digest = createHash("sha256");
  for (const file of [...files.toSorted(), "package.json", "package-lock.json"])
    digest.update(`${file}\0`).update(await readFile(path.join(projectRoot, file)));
  return digest.digest("hex");
}

/** Another process reads the old file or the new one, never a part. */
async function replaceFile(file: string, text: string): Promise<void> {
  // Beside the assets, not below them: a server that watches the assets must not see half of it.
  const draft = path.join(path.dirname(file), "../..", `.openapi-${randomUUID()}`);
  try {
    await writeFile(draft, text);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

if (import.meta.main) await ensureOpenApi();
