/**
 * Issues licenses. Not part of the service: the private key stays with the issuer.
 *
 *   node scripts/issue-license.ts keys FILE
 *   node scripts/issue-license.ts issue --key FILE --plan team --days 365 [--licensee NAME] [--limit instances=500]… [--feature NAME]…
 *
 * `keys` writes a private key to a new file and prints the service's LICENSE_PUBLIC_KEY; `issue` prints its LICENSE_KEY.
 * `--limit NAME=none` removes a limit.
 */
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { planNames } from "#schema/lists/plans.ts";
import { issueLicense, newLicenseKeys } from "./operator/license.ts";
import { runCommand, UsageError } from "./operator/run-command.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const USAGE =
  "Usage: node scripts/issue-license.ts keys FILE | issue --key FILE --plan PLAN --days DAYS";

await runCommand(
  {
    usage: USAGE,
    options: {
      key: { type: "string" },
      plan: { type: "string" },
      days: { type: "string" },
      licensee: { type: "string" },
      limit: { type: "string", multiple: true, default: [] },
      feature: { type: "string", multiple: true, default: [] },
    },
    positionals: { least: 1, most: 2 },
  },
  async ({ positionals, values }) => {
    console.log(await made(positionals, values));
    return 0;
  },
);

interface Given {
  key?: string | undefined;
  plan?: string | undefined;
  days?: string | undefined;
  licensee?: string | undefined;
  limit: readonly string[];
  feature: readonly string[];
}

async function made(positionals: readonly string[], values: Given): Promise<string> {
  const [command, file] = positionals;
  if (command === "keys" && file !== undefined) {
    const { privateKey, publicKey } = await newLicenseKeys();
    await writeFile(file, `${privateKey}\n`, { mode: 0o600, flag: "wx" });
    return publicKey;
  }
  const plan = planNames.find((name) => name === values.plan);
  const days = Number(values.days);
  if (command !== "issue" || values.key === undefined) throw new UsageError();
  if (plan === undefined) throw new Error(`--plan must be one of ${planNames.join(", ")}.`);
  if (!Number.isInteger(days) || days < 1)
    throw new Error("--days must be an integer of 1 or more.");
  const terms = {
    id: randomUUID(),
    plan,
    licensee: values.licensee,
    limits: Object.fromEntries(values.limit.map(limitOf)),
    features: values.feature,
    expiresAtMs: Date.now() + days * DAY_MS,
  };
  return issueLicense(terms, await readFile(values.key, "utf8"));
}

function limitOf(text: string): [string, number | null] {
  const [name = "", value = ""] = text.split("=");
  const limit = value === "none" ? null : Number(value || Number.NaN);
  if (name === "" || (limit !== null && (!Number.isInteger(limit) || limit < 0)))
    throw new Error(`--limit ${text} is not valid: write NAME=NUMBER or NAME=none.`);
  return [name, limit];
}
