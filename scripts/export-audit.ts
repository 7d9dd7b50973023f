/**
 * `npm run audit:export -- <address> [--tenant <id>] > FILE`: writes the audit log of a tenant, or of the platform, one
 * page in a line, for `npm run audit:verify`. Exits with 1 if the log could not be read to its end.
 */
import { setTimeout } from "node:timers/promises";
import { auditPages } from "./operator/audit-pages.ts";
import { operatorClient, runCommand } from "./operator/run-command.ts";

const USAGE =
  "Usage: OPERATOR_KEY=<operator key> npm run --silent audit:export -- https://control.example [--tenant <id>] > FILE";
const PAUSE_MS = 5_000;

await runCommand(
  {
    usage: USAGE,
    options: { tenant: { type: "string" } },
    positionals: { least: 1, most: 1 },
  },
  async ({ values: { tenant }, positionals: [address] }) => {
    let count = 0;
    for await (const page of auditPages(operatorClient(address), tenant, () =>
      setTimeout(PAUSE_MS),
    )) {
      process.stdout.write(`${JSON.stringify(page)}\n`);
      count += page.data.length;
    }
    console.error(`${count} entries of ${tenant ?? "the platform"}.`);
    return 0;
  },
);
