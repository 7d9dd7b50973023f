/** The texts for a person after a deploy. */
import { DATABASE_BINDING } from "./wrangler-config.ts";

/** The way back to the former version, and the changes that it does not undo. */
export function howToGoBack({
  versionId,
  config,
  applied,
  bookmark,
}: {
  versionId: string | undefined;
  config: string;
  applied: readonly string[];
  bookmark: string | undefined;
}): string {
  const migrations =
    applied.length === 0
      ? "- the database's data (no migration was applied);"
      : `- the database: the migrations ${applied.join(", ")} stay applied. Earlier code works with later migrations. Only if it must: \`npx wrangler d1 time-travel restore ${DATABASE_BINDING}${bookmark === undefined ? "" : ` --bookmark=${bookmark}`} --config ${config}\` loses everything that was written since;`;
  return [
    "To go back to the version from before:",
    "",
    `  npx wrangler rollback ${versionId ?? "<id of the version, from `npx wrangler versions list`>"} --config ${config}`,
    "",
    "This takes back the code and its variables. It does not take back:",
    migrations,
    "- secrets, queues and their consumers, the cron trigger, domains;",
    "- migrations of Durable Objects: Cloudflare refuses to go back behind one.",
  ].join("\n");
}

interface Installed {
  address: string;
  vars: Readonly<Record<string, string>>;
  config: string;
  installationFile: string;
  /** Undefined: it was deleted. */
  secretsFile: string | undefined;
  wasRunning: boolean;
}

export function nextSteps(installed: Installed): string[] {
  const { address, wasRunning } = installed;
  return [
    "",
    `${wasRunning ? "Updated" : "Installed"}: ${address}`,
    ...keptSecrets(installed),
    ...signIn(installed),
    "",
    `Check it whenever you like: npm run doctor`,
  ];
}

function keptSecrets({ secretsFile, config }: Installed): string[] {
  if (secretsFile === undefined) return [];
  return [
    "",
    `${secretsFile} has the installation's secrets, for you alone. Put its text into your password manager, then delete`,
    "the file: without SEALING_KEYS, stored secrets cannot be opened again.",
    "BOOTSTRAP_API_KEY in it is the operator's key. To read it into a shell without showing it:",
    `  export OPERATOR_KEY=$(node -p 'JSON.parse(require("fs").readFileSync("${secretsFile}", "utf8")).BOOTSTRAP_API_KEY')`,
    "To replace it, type a new one that your password manager makes (1 to 200 visible ASCII characters):",
    `  npx wrangler secret put BOOTSTRAP_API_KEY --config ${config}`,
  ];
}

function signIn({ address, vars, installationFile, config }: Installed): string[] {
  const providers = providersIn(vars["OIDC_PROVIDERS"]);
  if (providers.length > 0)
    return vars["OPERATORS"]
      ? ["", `People sign in at ${address}/login.`]
      : [
          "",
          `People sign in at ${address}/login. Nobody is an operator there yet: sign in, copy your \`issuer|subject\` from`,
          `${address}/account into \`vars.OPERATORS\` of ${installationFile}, run npm run deploy, and sign in again.`,
        ];
  return [
    "",
    "Nobody can sign in with a browser yet; the API works with the operator's key. For sign-in (docs/sign-in.md):",
    "1. At your identity provider, register a web application with this redirect URI; <id> is a name that you choose:",
    `     ${address}/api/v1/auth/oidc/<id>/callback`,
    `2. In ${installationFile}, set \`vars.OIDC_PROVIDERS\` to a list with its entry, and \`vars.OPERATORS\` to who operates.`,
    "3. Store its client secret under the name that the entry gives, then deploy again:",
    `     npx wrangler secret put OIDC_<NAME> --config ${config}`,
    "     npm run deploy",
    `4. Sign in at ${address}/login.`,
  ];
}

/** Entries of the setting, as far as it can be read. */
export function providersIn(
  setting: string | undefined,
): { id?: string; clientSecret?: string; issuer?: string }[] {
  try {
    const value: unknown = JSON.parse(setting ?? "[]");
    return Array.isArray(value) ? (value as object[]) : [];
  } catch {
    return [];
  }
}
