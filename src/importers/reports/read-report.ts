import type { ImportLog } from "#importers/import-log.ts";
import type { JsonMap } from "#platform/json.ts";
import { readCheckov } from "./checkov-report.ts";
import { readDriftctl } from "./driftctl-report.ts";
import { FindingList } from "./finding.ts";
import { readPlan } from "./plan-report.ts";
import { reportKindOf, type ReportKind } from "./report-kind.ts";
import type { Report } from "./report.ts";
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

/** The summary and findings of a tool's JSON report. Undefined for an unknown report; the caller warns. */
export function readReport(report: JsonMap, log: ImportLog): Report | undefined {
  const kind = reportKindOf(report);
  if (kind === undefined) return undefined;
  const findings = new FindingList();
  const summary = readers[kind](report, findings);
  return { kind, summary, findings: findings.finish(log) };
}
