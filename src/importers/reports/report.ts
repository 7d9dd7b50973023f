import type { JsonMap } from "#platform/json.ts";
import type { Finding } from "./finding.ts";
import type { ReportKind } from "./report-kind.ts";

/** A tool's report as it was sent. A tool that ran several times may write a list. */
export type SentReport = JsonMap | readonly JsonMap[];

/** The parts of a tool's report that an import keeps. */
export interface Report {
  kind: ReportKind;
  /** Counts by name: changes by action, resources, checks, or results by level. */
  summary: Readonly<Record<string, number>>;
  findings: readonly Finding[];
}

/** The reports in a list, or the only one. */
export function reportsIn(sent: SentReport): readonly JsonMap[] {
  return Array.isArray(sent) ? sent : [sent as JsonMap];
}
