/** Copies tables of the source into the static assets, from which the Worker reads the needed ones. */
import { glob, mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { replaceFile } from "./replace-file.ts";

/**
 * Copies the JSON files of a folder without their spaces, and removes all other files of the directory. Returns the
 * names of the files that it wrote: new or changed ones.
 */
export async function copyTables(sources: string, directory: string): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const tables = new Map<string, string>();
  for await (const name of glob("*.json", { cwd: sources }))
    tables.set(name, JSON.stringify(JSON.parse(await readFile(path.join(sources, name), "utf8"))));
  const written: string[] = [];
  for (const [name, text] of tables) {
    const file = path.join(directory, name);
    if ((await textOf(file)) === text) continue;
    await replaceFile(file, text, path.join(directory, "../.."));
    written.push(name);
  }
  for await (const name of glob("*", { cwd: directory }))
    if (!tables.has(name)) await rm(path.join(directory, name), { force: true });
  return written.toSorted();
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch {
    return undefined;
  }
}
