import { holdsSecret } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";

export function warnOfDuplicate(name: string, file: string, line: number, log: ImportLog): void {
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  // A URL or an assignment may stand where a name should.
  const key = holdsSecret(name) ? "A key" : `The key \`${shown}\``;
  const message = `${key} occurs twice in the same map; the last one counts.`;
  log.add("warning", "duplicate_key", message, { file, line });
}
