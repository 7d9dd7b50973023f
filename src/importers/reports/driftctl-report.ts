import type { JsonMap } from "#platform/json.ts";
import type { FindingList } from "./finding.ts";
import { countAt, mapAt, mapsAt, textAt } from "./json-parts.ts";
import type { Report } from "./report.ts";

const totals = ["resources", "managed", "changed", "unmanaged", "missing"] as const;

/** Reads the drift in the output of `driftctl scan -o json://`. The values of a changelog are never read. */
export function readDriftctl(report: JsonMap, findings: FindingList): Report["summary"] {
  const add = (rule: string, resource: JsonMap | undefined, says: string): void => {
    const named = nameOf(resource);
    findings.add({
      rule,
      severity: null,
      resource: named ?? null,
      ...sourceOf(resource),
      message: `${named ?? "A resource"} ${says}`,
    });
  };
  for (const resource of mapsAt(report, "unmanaged"))
    add("unmanaged", resource, "exists, but no code manages it.");
  for (const resource of mapsAt(report, "missing"))
    add("missing", resource, "is in the state, but does not exist.");
  for (const difference of mapsAt(report, "differences")) {
    const changes = mapsAt(difference, "changelog").length;
    add(
      "changed",
      mapAt(difference, "res"),
      `differs from the state in ${changes} ${changes === 1 ? "attribute" : "attributes"}.`,
    );
  }
  const summary = mapAt(report, "summary");
  return Object.fromEntries(totals.map((name) => [name, countAt(summary, `total_${name}`) ?? 0]));
}

function nameOf(resource: JsonMap | undefined): string | undefined {
  const type = textAt(resource, "type");
  if (type === undefined) return undefined;
  const source = mapAt(resource, "source");
  const label = textAt(source, "internal_name");
  if (label === undefined) {
    const id = textAt(resource, "id");
    return id === undefined ? type : `${type} ${id}`;
  }
  const module = textAt(source, "namespace");
  return `${module === undefined ? "" : `${module}.`}${type}.${label}`;
}

/** `source.source` is the state that contains the resource: `tfstate://terraform.tfstate`. */
function sourceOf(resource: JsonMap | undefined): { file: string | null; line: null } {
  const state = textAt(mapAt(resource, "source"), "source");
  return {
    file: state?.startsWith("tfstate://") ? state.slice("tfstate://".length) : null,
    line: null,
  };
}
