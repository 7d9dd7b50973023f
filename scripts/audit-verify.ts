/**
 * `npm run audit:verify -- FILE [--head SEQUENCE:HASH]`: verifies an export of the audit log offline. FILE contains the
 * entries of one or more tenants as returned by GET /audit-events: whole responses or single entries, as one JSON value,
 * a JSON array, or one JSON value per line. `--head` is the head printed by an earlier check; without it, entries
 * removed at the end cannot be detected.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { verifyExport } from "./operator/audit-export.ts";
import { printable } from "./operator/printable.ts";

const USAGE = "Usage: npm run audit:verify -- FILE [--head SEQUENCE:HASH]";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { head: { type: "string" } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) {
    console.error(USAGE);
    process.exit(2);
  }
  const { lines, ok } = await verifyExport(await readFile(file, "utf8"), values.head);
  for (const line of lines) console.log(printable(line));
  process.exit(ok ? 0 : 1);
} catch (error) {
  console.error(printable(error instanceof Error ? error.message : String(error)));
  if ((error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS")) console.error(USAGE);
  process.exit(2);
}
