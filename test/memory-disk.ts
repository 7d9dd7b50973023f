import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { env } from "node:process";

const MEMORY_DISK = "/dev/shm";
/** Far more than the state of all Workers of a run takes. */
const ENOUGH_BYTES = 2 ** 30;

/**
 * Databases and objects of the tests write through to the disk at each commit, which takes a fifth of a run. What is
 * temporary goes to memory where Linux has room for it. Processes that this one starts use the same folder.
 */
export function keepTemporaryFilesInMemory(): void {
  if (env["TMPDIR"]?.startsWith(`${MEMORY_DISK}/`) === true || !hasRoom()) return;
  const directory = mkdtempSync(path.join(MEMORY_DISK, "control-api-"));
  env["TMPDIR"] = directory;
  process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY_DISK, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_DISK);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
