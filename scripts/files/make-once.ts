import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";

/**
 * Reads `file`; creates it, readable only by its owner, if it does not exist. Atomic: a killed process leaves a complete
 * file or none, and concurrent processes all read the first one's text.
 */
export async function makeOnce(
  file: string,
  newText: () => string | Promise<string>,
): Promise<{ made: boolean; text: string }> {
  const known = await readIfThere(file);
  if (known !== undefined) return { made: false, text: known };
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, await newText(), { mode: 0o600, flag: "wx" });
    const made = await link(draft, file).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    return { made, text: await readFile(file, "utf8") };
  } finally {
    await rm(draft, { force: true });
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
