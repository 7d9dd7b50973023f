import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { mapAt } from "./json-parts.ts";

export type ReportKind =
  | "terraform-plan"
  | "terraform-state"
  | "terraform-raw-state"
  | "checkov"
  | "driftctl"
  | "sarif";

/** The kind of a report, by its top-level members; undefined for an unknown report. */
export function reportKindOf(report: JsonMap): ReportKind | undefined {
  if (typeof report["format_version"] === "string") {
    if (Array.isArray(report["resource_changes"]) || isJsonMap(report["planned_values"]))
      return "terraform-plan";
    return isJsonMap(report["values"]) ? "terraform-state" : undefined;
  }
  if (report["version"] === 4 && Array.isArray(report["resources"])) return "terraform-raw-state";
  if (report["version"] === "2.1.0" && Array.isArray(report["runs"])) return "sarif";
  if (Array.isArray(mapAt(report, "results")?.["failed_checks"])) return "checkov";
  // A run that found nothing to check writes its counts alone.
  if (typeof report["checkov_version"] === "string") return "checkov";
  const totals = Object.keys(mapAt(report, "summary") ?? {});
  return totals.some((name) => name.startsWith("total_")) ? "driftctl" : undefined;
}
