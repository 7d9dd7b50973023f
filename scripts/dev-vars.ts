import { parseEnv } from "node:util";
import { formatEnvFile, type Variables } from "./env-file.ts";
import { makeOnce } from "./make-once.ts";
import { newSecrets } from "./new-secrets.ts";

/** The variables of `file`, which is made with random secrets if there is none. */
export async function ensureDevVars(
  file: string,
): Promise<{ made: boolean; variables: Variables }> {
  const { made, text } = await makeOnce(
    file,
    () => `# Secrets and settings of the service on this machine, made by \`npm start\`. Without SEALING_KEYS, what is
# sealed in the state cannot be opened again: keep them together.
${formatEnvFile({ ...newSecrets(), SERVER_TIMING: "on", WEBHOOK_ALLOW_INSECURE: "on" })}`,
  );
  return { made, variables: parseEnv(text) as Variables };
}
