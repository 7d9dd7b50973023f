/**
 * Makes the scripts of the pages as static assets, and writes the functions of expressions beside them, for the editor's
 * completion. Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { functionsAddress, otherScripts, pageScripts } from "#console/shared/scripts.ts";
import { functionWords } from "#engine/expressions/function-words.ts";
import { projectRoot } from "../files/project-root.ts";
import { replaceFile } from "../files/replace-file.ts";
import { bundleScripts, PARTS } from "./bundle-scripts.ts";

const assetsDirectory = path.join(projectRoot, "public/assets/console");
/** The first line of each script: a digest of all sources. */
const STAMP = "// made of ";
/** The sources that a script may import, the versions of the libraries, and the options of the bundler. */
export const stamped = [
  "src/console/{browser,shared}/**/*.ts",
  "src/schema/lists/*.ts",
  "package-lock.json",
  "scripts/browser/bundle-scripts.ts",
];
const FUNCTIONS = path.basename(functionsAddress);

/** Makes the assets that are missing or old, removes other scripts, and returns the names of the made ones. */
export async function ensureBrowserScripts(directory = assetsDirectory): Promise<string[]> {
  // On the file system of the assets, and not below them: Wrangler serves them.
  const drafts = path.join(directory, "../../..");
  const made: string[] = [];
  const write = async (name: string, text: string): Promise<void> => {
    const file = path.join(directory, name);
    if ((await textOf(file)) === text) return;
    await replaceFile(file, text, drafts);
    made.push(name);
  };
  const stamp = await stampOf();
  if (!(await areMade(directory, stamp))) {
    const files = await bundleScripts();
    // A script comes after the parts that it loads.
    const isPart = ({ name }: { name: string }): boolean => name.startsWith(`${PARTS}/`);
    for (const { name, text } of files.filter(isPart)) await write(name, text);
    for (const { name, text } of files.filter((file) => !isPart(file)))
      await write(name, `${stamp}\n${text}`);
    const names = new Set(files.map(({ name }) => name));
    for (const name of globSync("**/*.js", { cwd: directory }))
      if (!names.has(name)) await rm(path.join(directory, name), { force: true });
  }
  // The place of the libraries in earlier versions.
  await rm(path.join(directory, "../libraries"), { recursive: true, force: true });
  await write(FUNCTIONS, JSON.stringify(functionWords()));
  return made;
}

/** Whether all scripts, and the parts that they name, are there and made of these sources. */
async function areMade(directory: string, stamp: string): Promise<boolean> {
  const texts = await Promise.all(
    [...pageScripts, ...otherScripts].map((name) => textOf(path.join(directory, `${name}.js`))),
  );
  const parts = new Set(texts.flatMap((text) => text?.match(/parts\/[\w-]+\.js/g) ?? []));
  const there = new Set(globSync(`${PARTS}/*.js`, { cwd: directory }));
  const isMade = (text: string | undefined): boolean => text?.startsWith(`${stamp}\n`) === true;
  return texts.every(isMade) && [...parts].every((part) => there.has(part));
}

async function stampOf(): Promise<string> {
  const digest = createHash("sha256");
  for (const file of globSync(stamped, { cwd: projectRoot }).toSorted())
    digest.update(file).update(await readFile(path.join(projectRoot, file)));
  return STAMP + digest.digest("hex");
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}

if (import.meta.main) await ensureBrowserScripts();
