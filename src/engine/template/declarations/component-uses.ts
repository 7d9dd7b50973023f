import type { DocumentNode, MapEntry } from "#engine/template/document.ts";
import { parseExpression } from "#engine/template/expressions.ts";
import { isVersionRange } from "#engine/template/releases/version-range.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import type { ComponentUse } from "#engine/template/template.ts";
import { placesIn, readProperties, rejectKey } from "./declaration-parts.ts";
import { readComponentOptions, readText } from "./resource-options.ts";

const useKeys = ["component", "version", "when", "forEach", "properties", "options"] as const;

/** Parses the use of a component. An invalid part is reported; a missing name is `""`. */
export function parseComponentUse(
  { key, keyPlace, value }: MapEntry,
  report: Report,
): ComponentUse {
  const use: ComponentUse = {
    component: "",
    version: "*",
    properties: {},
    options: { dependsOn: [], aliases: [] },
    place: keyPlace,
    places: placesIn(value, keyPlace.path),
  };
  for (const entry of value.kind === "map" ? value.entries : []) {
    const { key: member, value: node } = entry;
    switch (member) {
      case "component":
        use.component = readText(node, report) ?? "";
        if (use.component === "")
          report.error(
            "invalid_component",
            "`component` must be the name or the id of a template.",
            node.place,
            "Write `component: standard-network`.",
          );
        break;
      case "version":
        use.version = readVersion(node, report);
        break;
      case "when":
      case "forEach":
        use[member] = parseExpression(node, report);
        break;
      case "properties":
        use.properties = readProperties(node, report);
        break;
      case "options":
        use.options = readComponentOptions(node, report);
        break;
      case "type":
      case "get":
        report.error(
          "invalid_component",
          `${quoted(key)} is a component, so it has no \`${member}\`.`,
          entry.keyPlace,
          `Remove \`${member}\`, or \`component\`.`,
        );
        break;
      default:
        rejectKey(entry, "A component", useKeys, report);
    }
  }
  return use;
}

function readVersion(node: DocumentNode, report: Report): string {
  const written = node.kind === "scalar" ? node.value : undefined;
  // `version: 1.2` is a number in YAML.
  const text = typeof written === "number" ? String(written) : readText(node, report);
  if (text !== undefined && isVersionRange(text)) return text;
  report.error(
    "invalid_component",
    "`version` must be a range of releases.",
    node.place,
    "Examples: `^1.2`, `~1.2.3`, `1.2.3`, `>=1.2 <3`.",
  );
  return "*";
}
