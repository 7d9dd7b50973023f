import type { DocumentNode, MapEntry } from "#engine/template/document.ts";
import { quoted, type Report } from "#engine/template/report.ts";

const outputKeys = new Set(["value", "description", "sensitive", "secret", "depends_on", "type"]);
const variableKeys = new Set([
  "type",
  "default",
  "description",
  "sensitive",
  "secret",
  "nullable",
  "validation",
]);

/** Warns of a value that other languages would declare by a map. Here the map itself is the value. */
export function reportDeclared(
  section: "variables" | "outputs",
  { key, keyPlace, value }: MapEntry,
  report: Report,
): void {
  if (value.kind !== "map") return;
  const has = (name: string) => value.entries.some((entry) => entry.key === name);
  const hasOnly = (names: ReadonlySet<string>) =>
    value.entries.length > 1 && value.entries.every((entry) => names.has(entry.key));
  if (section === "outputs" && has("value") && hasOnly(outputKeys))
    report.warning(
      "declared_as_map",
      `The output ${quoted(key)} is a map with ${namesOf(value)}.`,
      keyPlace,
      "Write the value alone. For a secret output, write `${secret(<value>)}`.",
    );
  if (section === "variables" && has("type") && hasOnly(variableKeys))
    report.warning(
      "declared_as_map",
      `The variable ${quoted(key)} is a map with ${namesOf(value)}.`,
      keyPlace,
      "For a value that an instance sets, declare it under `config`.",
    );
}

function namesOf({ entries }: Extract<DocumentNode, { kind: "map" }>): string {
  return entries.map((entry) => `\`${entry.key}\``).join(", ");
}
