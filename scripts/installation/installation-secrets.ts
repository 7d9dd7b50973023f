/**
 * The secrets that a deploy makes. Cloudflare never shows them again, so a file of the operator gets them first. Only
 * its owner can read the file, and Git ignores it. The owner keeps a copy and deletes the file.
 */
import { chmod, readFile } from "node:fs/promises";
import path from "node:path";
import { replaceFile } from "../files/replace-file.ts";
import { newSecrets } from "../service/new-secrets.ts";
import { InstallationError } from "./installation-error.ts";

export const madeSecrets = ["BOOTSTRAP_API_KEY", "SEALING_KEYS", "IDENTITY_KEYS"] as const;
export type MadeSecret = (typeof madeSecrets)[number];

export function secretsFileOf(installationFile: string): string {
  return installationFile.replace(/\.jsonc?$/, "") + ".secrets.json";
}

/** The secrets of the file; undefined: there is no file. */
export async function readSecretsFile(
  file: string,
): Promise<Partial<Record<MadeSecret, string>> | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Partial<Record<MadeSecret, string>>;
  } catch (cause) {
    throw new InstallationError(
      `${path.basename(file)} is not valid JSON. Mend it, or delete it if its values are stored at Cloudflare and you have a copy.`,
      { cause },
    );
  }
}

/** The values of these secrets: the file's, and new ones, which are added to the file. */
export async function keepSecrets(
  file: string,
  names: readonly MadeSecret[],
): Promise<Partial<Record<MadeSecret, string>>> {
  const kept = (await readSecretsFile(file)) ?? {};
  const lacking = names.filter((name) => (kept[name] ?? "") === "");
  if (lacking.length > 0) {
    const made = await newSecrets();
    for (const name of lacking) kept[name] = made[name];
    await replaceFile(file, `${JSON.stringify(kept, null, 2)}\n`, path.dirname(file), 0o600);
  }
  await chmod(file, 0o600);
  return Object.fromEntries(names.map((name) => [name, kept[name]]));
}
