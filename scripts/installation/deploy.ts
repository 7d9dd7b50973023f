/** `npm run deploy`: installs the service at Cloudflare or updates it; see docs/operations.md. */
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { projectRoot } from "../files/project-root.ts";
import { printableLines } from "../operator/printable.ts";
import { operatorKey, runCommand } from "../operator/run-command.ts";
import { deployInstallation } from "./deploy-installation.ts";
import { InstallationError } from "./installation-error.ts";
import { wranglerProgram } from "./wrangler-program.ts";

const USAGE = `Usage: npm run deploy -- [options]

  --yes                  Make the changes without asking.
  --dry-run              Show every command, and run only those that change nothing.
  --address URL          The address of a new installation, for example https://control.example.com: a custom domain in
                         a zone of the account. Without it, the address is Cloudflare's, below workers.dev.
  --account ID           The account, if you have several.
  --installation FILE    The installation's values (default: installation.jsonc).
  --location HINT        Where a new database is: weur, eeur, apac, oc, wnam or enam.
  --jurisdiction NAME    Where a new database may be: eu, us or fedramp.

The environment variable OPERATOR_KEY, an operator's key, lets the test of an update read with it.`;

await runCommand(
  {
    usage: USAGE,
    options: {
      yes: { type: "boolean" },
      "dry-run": { type: "boolean" },
      address: { type: "string" },
      account: { type: "string" },
      installation: { type: "string" },
      location: { type: "string" },
      jurisdiction: { type: "string" },
    },
  },
  async ({ values }) => {
    let accountId: string | undefined;
    await deployInstallation(
      {
        root: projectRoot,
        file: path.resolve(projectRoot, values.installation ?? "installation.jsonc"),
        address: values.address === undefined ? undefined : addressIn(values.address),
        account: values.account ?? (process.env["CLOUDFLARE_ACCOUNT_ID"] || undefined),
        databasePlace: (["location", "jurisdiction"] as const).flatMap((name) => {
          const value = values[name];
          return value === undefined ? [] : [`--${name}`, value];
        }),
        operatorKey: operatorKey(),
      },
      {
        run: wranglerProgram({ accountId: () => accountId }),
        useAccount: (id) => {
          accountId = id;
        },
        show: (line) => {
          console.log(printableLines(line));
        },
        ask: async () => values.yes === true || askOnTerminal(),
        dryRun: values["dry-run"] === true,
        fetch,
        pause: async (ms) => pause(ms),
      },
    );
    return 0;
  },
);

function addressIn(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "https:" && [url.origin, `${url.origin}/`].includes(text.toLowerCase()))
    return url.origin;
  throw new InstallationError(
    `--address must be an https address without a path, for example https://control.example.com.`,
  );
}

async function askOnTerminal(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new InstallationError(
      "There is no terminal to ask at. Look at `npm run deploy -- --dry-run`, then say --yes.",
    );
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question("Make these changes? [y/N] ");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
