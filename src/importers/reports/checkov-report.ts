import type { JsonMap } from "#platform/json.ts";
import type { FindingList, FindingSeverity } from "./finding.ts";
import { countAt, mapAt, mapsAt, textAt } from "./json-parts.ts";
import type { Report } from "./report.ts";

const severities = new Map<string, FindingSeverity>([
  ["CRITICAL", "critical"],
  ["HIGH", "high"],
  ["MEDIUM", "medium"],
  ["MODERATE", "medium"],
  ["LOW", "low"],
  ["INFO", "info"],
]);

/** Reads a run of `checkov -o json`, which writes a list of several: each failed check is a finding. `code_block` is not read, because it may hold secrets. */
export function readCheckov(report: JsonMap, findings: FindingList): Report["summary"] {
  const results = mapAt(report, "results");
  const totals = mapAt(report, "summary") ?? report;
  const failed = mapsAt(results, "failed_checks");
  for (const check of failed) {
    const rule = textAt(check, "check_id") ?? textAt(check, "bc_check_id") ?? "unknown";
    findings.add({
      rule,
      severity: severities.get(textAt(check, "severity")?.toUpperCase() ?? "") ?? null,
      resource: textAt(check, "resource") ?? null,
      file: withoutSlash(textAt(check, "file_path")),
      line: firstLine(check),
      message: textAt(check, "check_name") ?? `The check ${rule} failed.`,
    });
  }
  return {
    failed: failed.length,
    // A compact report has only the counts.
    passed: countAt(totals, "passed") ?? mapsAt(results, "passed_checks").length,
    skipped: countAt(totals, "skipped") ?? mapsAt(results, "skipped_checks").length,
  };
}

/** Checkov writes paths relative to the scanned folder, with a leading slash. */
function withoutSlash(path: string | undefined): string | null {
  return path === undefined ? null : path.startsWith("/") ? path.slice(1) : path;
}

function firstLine(check: JsonMap): number | null {
  const range = check["file_line_range"];
  const line = Array.isArray(range) ? range[0] : undefined;
  return typeof line === "number" && Number.isSafeInteger(line) && line > 0 ? line : null;
}
