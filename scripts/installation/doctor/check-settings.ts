/** Problems in the installation's own files. */
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Examined } from "./examined.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

const developmentOnly = {
  WEBHOOK_ALLOW_INSECURE: ["on", "Webhooks may lead to the service itself and to loopback."],
  DEV_COOKIES: ["on", "Cookies of sessions may travel without encryption."],
  RATE_LIMITS: ["off", "One caller can keep the service busy for all."],
} as const;

export async function checkSettings(
  { vars = {} }: Examined,
  secretsFile: string,
): Promise<Finding[]> {
  const wrong = Object.entries(developmentOnly)
    .filter(([name, [value]]) => vars[name] === value)
    .map(([name, [value, why]]) =>
      error(
        "settings",
        `${name} is ${value}, which is for development.`,
        why,
        `Remove it from \`vars\` of installation.jsonc, then run \`npm run deploy\`.`,
      ),
    );
  return [
    ...(wrong.length > 0 ? wrong : [ok("settings", "No setting for development is on.")]),
    ...(await fileFindings(secretsFile)),
  ];
}

async function fileFindings(file: string): Promise<Finding[]> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return [];
  const name = path.basename(file);
  return [
    warning(
      "secrets-file",
      `${name} is still on this machine.`,
      "Whoever reads it is an operator and can open what is sealed. Without a copy of it elsewhere, losing this machine loses what is sealed.",
      `Put its text into your password manager, then delete it: rm ${name}`,
    ),
  ];
}
