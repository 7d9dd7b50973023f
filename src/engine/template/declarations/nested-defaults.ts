import type { DocumentNode, MapNode } from "#engine/template/document.ts";
import { own } from "#engine/template/own.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import { keywordKinds } from "#engine/template/value-schema.ts";

/** Warns of the defaults of parts of a config value: an instance gives the whole value or takes the whole default. */
export function reportNestedDefaults(name: string, declaration: MapNode, report: Report): void {
  for (const schema of subschemasOf(declaration)) warn(name, schema, report);
}

function warn(name: string, schema: DocumentNode, report: Report): void {
  if (schema.kind !== "map") return;
  for (const { key, keyPlace } of schema.entries)
    if (key === "default")
      report.warning(
        "ignored",
        `A \`default\` inside the schema of ${quoted(name)} has no effect.`,
        keyPlace,
        `Write one \`default\` for the whole value, beside the type of ${quoted(name)}.`,
      );
  for (const inner of subschemasOf(schema)) warn(name, inner, report);
}

function subschemasOf({ entries }: MapNode): DocumentNode[] {
  return entries.flatMap(({ key, value }) => {
    const kind = own(keywordKinds, key);
    if (kind === "schema" || kind === "condition") return [value];
    if (kind === "schemas" || kind === "conditions")
      return value.kind === "list" ? value.items : [];
    if (kind !== "members" || value.kind !== "map") return [];
    return value.entries.map((member) => member.value);
  });
}
