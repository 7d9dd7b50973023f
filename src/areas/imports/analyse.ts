import type * as z from "zod";
import type { JsonMap } from "#platform/json.ts";
import type { ImportPart, ImportProgress, ImportState } from "#schema/imports.ts";
import type { AcceptedFiles } from "./accept-files.ts";
import type { ImportFileView, ImportWarning } from "./contract.ts";

type FileRow = z.input<typeof ImportFileView>;
type Warning = z.input<typeof ImportWarning>;

const MAX_WARNINGS = 1_000;

export interface Analysis {
  state: ImportState;
  formats: string[];
  progress: ImportProgress;
  parts: Partial<Record<ImportPart, JsonMap[]>>;
}

/** The result of an import. This version parses no format: every readable file is SKIPPED with a warning. */
export function analyse(
  { files, tooLarge }: AcceptedFiles,
  report: Readonly<Record<string, unknown>> | undefined,
): Analysis {
  const rows: FileRow[] = [];
  const warnings: Warning[] = [];
  for (const file of files) {
    const verdict = file.ok
      ? tooLarge
        ? { state: "FAILED" as const, reason: "import_too_large" }
        : { state: "SKIPPED" as const, reason: "unsupported_format" }
      : { state: "FAILED" as const, reason: file.reason };
    rows.push({
      path: file.path,
      format: null,
      bytes: file.bytes,
      sha256: file.ok ? file.sha256 : null,
      ...verdict,
      counts: {},
    });
    if (!file.ok) warnings.push(about(file.path, file.reason, "error", file.message));
    else if (!tooLarge)
      warnings.push(
        about(
          file.path,
          "unsupported_format",
          "warning",
          "This file format is not supported; the file is skipped.",
        ),
      );
  }
  if (tooLarge)
    warnings.unshift(
      about(
        null,
        "import_too_large",
        "error",
        "The files are larger than 10 MiB together. Import fewer files at a time.",
      ),
    );
  if (report !== undefined)
    warnings.push(
      about(
        null,
        "report_unrecognized",
        "warning",
        "This kind of report is not supported; the report is ignored.",
      ),
    );
  if (files.length === 0 && report === undefined)
    warnings.push(
      about(
        null,
        "empty_import",
        "warning",
        "The request has neither files nor a report: there is nothing to import.",
      ),
    );
  const count = (state: FileRow["state"]) => rows.filter((row) => row.state === state).length;
  const progress = {
    total: rows.length,
    parsed: count("PARSED"),
    failed: count("FAILED"),
    skipped: count("SKIPPED"),
  };
  return {
    state: stateOf(progress, warnings),
    formats: [],
    progress,
    parts: { files: rows, warnings: bounded(warnings) },
  };
}

/** An empty import is COMPLETED; one whose files all failed is FAILED. */
function stateOf({ total, failed }: ImportProgress, warnings: readonly Warning[]): ImportState {
  if (total > 0 && failed === total) return "FAILED";
  return warnings.some(({ code }) => code !== "empty_import")
    ? "COMPLETED_WITH_WARNINGS"
    : "COMPLETED";
}

function bounded(warnings: readonly Warning[]): Warning[] {
  if (warnings.length <= MAX_WARNINGS) return [...warnings];
  const left = warnings.length - MAX_WARNINGS + 1;
  return [
    ...warnings.slice(0, MAX_WARNINGS - 1),
    about(null, "too_many_warnings", "warning", `${left} more warnings are not shown.`),
  ];
}

function about(
  file: string | null,
  code: string,
  severity: Warning["severity"],
  message: string,
): Warning {
  return { code, severity, file, line: null, column: null, message };
}
