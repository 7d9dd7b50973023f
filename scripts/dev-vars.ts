import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { formatEnvFile, type Variables } from "./env-file.ts";
import { newSecrets } from "./new-secrets.ts";

/**
 * The variables of `file`, which is made with random secrets, for its owner's eyes only, if there is none. Whoever
 * is killed while making it leaves a whole file or none; of two who make it at once, both read the first one's.
 */
export async function ensureDevVars(
  file: string,
): Promise<{ made: boolean; variables: Variables }> {
  const known = await readIfThere(file);
  if (known !== undefined) return { made: false, variables: known };
  const text = `# Secrets and settings of the service on this machine, made by \`npm start\`. Without SEALING_KEYS, what is
# sealed in the state cannot be opened again: keep them together.
${formatEnvFile({ ...newSecrets(), SERVER_TIMING: "on", WEBHOOK_ALLOW_INSECURE: "on" })}`;
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    const made = await link(draft, file).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    return { made, variables: (await readIfThere(file)) ?? {} };
  } finally {
    await rm(draft, { force: true });
  }
}

async function readIfThere(file: string): Promise<Variables | undefined> {
  try {
    return parseEnv(await readFile(file, "utf8")) as Variables;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
