import type { Finding } from "./finding.ts";
import type { ReportKind } from "./report-kind.ts";

/** What an import keeps of a tool's report. */
export interface Report {
  kind: ReportKind;
  /** Counts by name: of changes by action, of resources, of checks, of results by level. */
  summary: Readonly<Record<string, number>>;
  findings: readonly Finding[];
}
