import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * The version of the code in this folder: package.json's, with the commit if Git knows it, and `.changed` if files
 * differ from the commit: `0.1.0+0123456789ab.changed`.
 */
export async function checkoutVersion(root: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  // Another project's repository may surround an unpacked archive.
  if (!existsSync(path.join(root, ".git"))) return version;
  const git = async (...args: string[]): Promise<string> =>
    (await execute("git", args, { cwd: root })).stdout.trim();
  try {
    const commit = await git("rev-parse", "--short=12", "HEAD");
    const changed = await git("status", "--porcelain", "--untracked-files=no");
    return `${version}+${commit}${changed === "" ? "" : ".changed"}`;
  } catch {
    return version;
  }
}
