import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a file so that another process reads the old text or the new one, never a part. `draftDirectory`: on the same
 * file system, and not below a directory that a server watches: it must not see half of the file.
 */
export async function replaceFile(
  file: string,
  text: string,
  draftDirectory: string,
  mode?: number,
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = path.join(draftDirectory, `.asset-${randomUUID()}`);
  try {
    await writeFile(draft, text, { mode, flag: "wx" });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
