/**
 * Makes the API reference that the Worker serves from its static assets, the OpenAPI document and the pages, if the
 * sources changed since it was made. Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import { createHash } from "node:crypto";
import { access, glob, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../files/project-root.ts";
import { replaceFile } from "../files/replace-file.ts";
import { guideSources } from "./guide-sources.ts";

/** The static assets. The reference is below `openapi` and `docs`, which only the Worker reads. */
const assetsDirectory = path.join(projectRoot, "public");
const STAMP = "openapi/stamp";

/** Returns whether it made the reference. */
export async function ensureReference(directory = assetsDirectory): Promise<boolean> {
  const digest = await digestOfSources();
  if (await isWhole(directory, digest)) return false;
  // Loaded only when needed: all contracts take a second.
  const { referenceFiles } = await import("./reference-files.ts");
  const files = await referenceFiles();
  const drafts = path.dirname(directory);
  for (const [name, text] of files) await replaceFile(path.join(directory, name), text, drafts);
  for await (const page of glob("docs/*", { cwd: directory }))
    if (!files.has(page)) await rm(path.join(directory, page), { force: true });
  // The stamp comes last, because it confirms that all files are complete.
  await replaceFile(path.join(directory, STAMP), [digest, ...files.keys()].join("\n"), drafts);
  return true;
}

/** Whether the reference was made from these sources, and all its files exist. */
async function isWhole(directory: string, digest: string): Promise<boolean> {
  try {
    const [before, ...names] = (await readFile(path.join(directory, STAMP), "utf8")).split("\n");
    await Promise.all(names.map((name) => access(path.join(directory, name))));
    return before === digest;
  } catch {
    return false;
  }
}

/** A digest of all possible sources of the reference: with a missing source, an outdated reference would be kept. */
async function digestOfSources(): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(["src/**/*.{ts,tsx}", "scripts/reference/*.ts", ...guideSources], {
    cwd: projectRoot,
  }))
    if (!file.endsWith(".test.ts")) files.push(file);
  const digest = createHash("sha256");
  for (const file of [...files.toSorted(), "package.json", "package-lock.json", "tsconfig.json"])
    digest.update(`${file}\0`).update(await readFile(path.join(projectRoot, file)));
  return digest.digest("hex");
}

if (import.meta.main) await ensureReference();
