import { partsOf } from "#engine/template/expressions-in.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { Template } from "#engine/template/template.ts";
import { isSameType, withoutVersion } from "#providers/type-name.ts";

/** Each object belongs to one resource: two must not claim it by the same alias or import id. */
export function checkClaims(template: Template, report: Report): void {
  const { resources } = template;
  const byAlias = new Map<string, string>();
  const byId = new Map<string, string>();
  checkImportedReads(resources, report);
  for (const [name, { options, place, places }] of Object.entries(partsOf(template)))
    for (const alias of new Set(options.aliases)) {
      if (alias === name) continue;
      const first = byAlias.get(alias);
      if (first === undefined) byAlias.set(alias, name);
      else
        report.error(
          "ambiguous_alias",
          `The alias ${quoted(alias)} of ${quoted(name)} is also an alias of ${quoted(first)}: an object belongs to one resource.`,
          places?.get("/options/aliases") ?? place,
          "Keep the alias only on the resource that had this name.",
        );
    }
  for (const [name, { type, options, place, places }] of Object.entries(resources)) {
    if (options.import === undefined) continue;
    const object = `${withoutVersion(type)}\n${options.import}`;
    const first = byId.get(object);
    if (first === undefined) byId.set(object, name);
    else
      report.error(
        "import_in_use",
        `${quoted(name)} imports the same object as ${quoted(first)}.`,
        places?.get("/options/import") ?? place,
        "Import the object in one resource and refer to that resource.",
      );
  }
}

/** An object that one resource imports is managed, so no other resource needs to read it. */
function checkImportedReads(declared: Template["resources"], report: Report): void {
  const resources = Object.entries(declared);
  for (const [name, { type, get, places, place }] of resources) {
    if (get?.id.kind !== "literal") continue;
    const id = String(get.id.value);
    const owner = resources.find(
      ([, one]) => isSameType(one.type, type) && one.options.import === id,
    );
    if (owner !== undefined)
      report.error(
        "get_in_use",
        `${quoted(name)} reads the object that ${quoted(owner[0])} imports.`,
        places?.get("/get") ?? place,
        `Refer to \`\${${owner[0]}}\` instead.`,
      );
  }
}
