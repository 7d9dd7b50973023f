import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";

/**
 * The text of `file`, which is made, for its owner's eyes only, if there is none. Whoever is killed while making it
 * leaves a whole file or none; of two who make it at once, both read the first one's.
 */
export async function makeOnce(
  file: string,
  newText: () => string,
): Promise<{ made: boolean; text: string }> {
  const known = await readIfThere(file);
  if (known !== undefined) return { made: false, text: known };
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, newText(), { mode: 0o600, flag: "wx" });
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
