/**
 * `npm run audit:verify -- FILE [--head SEQUENCE:HASH]`: verifies an export of the audit log offline. FILE contains the
 * entries of one or more tenants as returned by GET /audit-events: whole responses or single entries, as one JSON value,
 * a JSON array, or one JSON value per line. `--head` is the head printed by an earlier check; without it, entries
 * removed at the end cannot be detected.
 */
import { readFile } from "node:fs/promises";
import { verifyExport } from "./operator/audit-export.ts";
import { printable } from "./operator/printable.ts";
import { runCommand } from "./operator/run-command.ts";

const USAGE = "Usage: npm run audit:verify -- FILE [--head SEQUENCE:HASH]";

await runCommand(
  {
    usage: USAGE,
    options: { head: { type: "string" } },
    positionals: { least: 1, most: 1 },
    failsWith: 2,
  },
  async ({ values: { head }, positionals: [file = ""] }) => {
    const { lines, ok } = await verifyExport(await readFile(file, "utf8"), head);
    for (const line of lines) console.log(printable(line));
    return ok ? 0 : 1;
  },
);
