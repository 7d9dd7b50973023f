/**
 * `npm run audit:export -- <address> [--tenant <id>] > FILE`: writes the audit log of a tenant, or of the platform, as
 * `npm run audit:verify` reads it: a page a line. A log that could not be read to its end exits with 1.
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { clientOf } from "./client/client.ts";
import { auditPages } from "./operator/audit-pages.ts";
import { operatorAddress } from "./operator/operator-address.ts";
import { printable } from "./operator/printable.ts";

const USAGE =
  "Usage: OPERATOR_KEY=<operator key> npm run --silent audit:export -- https://control.example [--tenant <id>] > FILE";
const PAUSE_MS = 5_000;

try {
  const { values, positionals } = parseArgs({
    options: { tenant: { type: "string" } },
    allowPositionals: true,
  });
  const [address, ...more] = positionals;
  const key = process.env["OPERATOR_KEY"];
  if (address === undefined || more.length > 0 || key === undefined || key === "")
    throw new Error(USAGE);
  const client = clientOf(operatorAddress(address), key);
  let count = 0;
  for await (const page of auditPages(client, values.tenant, () => setTimeout(PAUSE_MS))) {
    process.stdout.write(`${JSON.stringify(page)}\n`);
    count += page.data.length;
  }
  console.error(`${count} entries of ${values.tenant ?? "the platform"}.`);
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error)));
  if ((error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS")) console.error(USAGE);
  process.exitCode = 1;
}
