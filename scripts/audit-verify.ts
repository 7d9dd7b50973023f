/**
 * `npm run audit:verify -- FILE [--head SEQUENCE:HASH]`: checks an export of the audit log without the service.
 * FILE holds the entries of one or more tenants as GET /audit-events answers them: whole answers or single
 * entries, as one JSON value, a JSON array, or one JSON value a line. `--head` is the head that an earlier check
 * printed: without it, entries missing at the very end cannot be told from entries never made.
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { verifyExport } from "./audit-export.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { head: { type: "string" } },
});
const [file] = positionals;
if (file === undefined || positionals.length > 1) {
  console.error("Usage: npm run audit:verify -- FILE [--head SEQUENCE:HASH]");
  process.exit(2);
}
const { lines, ok } = await verifyExport(await readFile(file, "utf8"), values.head);
for (const line of lines) console.log(line);
process.exit(ok ? 0 : 1);
