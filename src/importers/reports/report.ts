import type { Finding } from "./finding.ts";
import type { ReportKind } from "./report-kind.ts";

/** The parts of a tool's report that an import keeps. */
export interface Report {
  kind: ReportKind;
  /** Counts by name: changes by action, resources, checks, or results by level. */
  summary: Readonly<Record<string, number>>;
  findings: readonly Finding[];
}
