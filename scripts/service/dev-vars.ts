import { parseEnv } from "node:util";
import { formatEnvFile, type Variables } from "../files/env-file.ts";
import { makeOnce } from "../files/make-once.ts";
import { newSecrets } from "./new-secrets.ts";

/** Reads the variables of `file`; creates it with random secrets if it does not exist. */
export async function ensureDevVars(
  file: string,
): Promise<{ made: boolean; variables: Variables }> {
  const { made, text } = await makeOnce(
    file,
    async () => `# Secrets and settings of the service on this machine, created by \`npm start\`. Without SEALING_KEYS, sealed
    # values in the state cannot be opened again: keep this file and the state together.
${formatEnvFile({ ...(await newSecrets()), SERVER_TIMING: "on", WEBHOOK_ALLOW_INSECURE: "on" })}`,
  );
  return { made, variables: parseEnv(text) as Variables };
}
