import type { ImportLog } from "#importers/import-log.ts";
import type { JsonMap } from "#platform/json.ts";
import { readCheckov } from "./checkov-report.ts";
import { readDriftctl } from "./driftctl-report.ts";
import { FindingList } from "./finding.ts";
import { readPlan } from "./plan-report.ts";
import { reportKindOf, type ReportKind } from "./report-kind.ts";
import { type Report, reportsIn, type SentReport } from "./report.ts";
import { readSarif } from "./sarif-report.ts";
import { summaryOfState } from "./state-summary.ts";

type Summary = Report["summary"];

const readers: { readonly [K in ReportKind]: (report: JsonMap, findings: FindingList) => Summary } =
  {
    "terraform-plan": readPlan,
    "terraform-state": summaryOfState,
    "terraform-raw-state": summaryOfState,
    checkov: readCheckov,
    driftctl: readDriftctl,
    sarif: readSarif,
  };

/**
 * The summary and findings of a tool's JSON report, or of a list of them. Undefined for an unknown report and for a list
 * of several kinds; the caller warns.
 */
export function readReport(sent: SentReport, log: ImportLog): Report | undefined {
  const reports = reportsIn(sent);
  const [kind, ...others] = new Set(reports.map(reportKindOf));
  if (kind === undefined || others.length > 0) return undefined;
  const findings = new FindingList();
  const summary: { [count: string]: number } = {};
  for (const report of reports)
    for (const [count, value] of Object.entries(readers[kind](report, findings)))
      summary[count] = (summary[count] ?? 0) + value;
  return { kind, summary, findings: findings.finish(log) };
}
