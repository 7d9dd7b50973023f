import type * as z from "zod";
import type { ImportFile } from "#importers/import-file.ts";
import { ImportLog } from "#importers/import-log.ts";
import type { ImportReading, ReadingOptions } from "#importers/read-import.ts";
import type { SentReport } from "#importers/reports/report.ts";
import type { JsonMap } from "#platform/json.ts";
import type {
  ImportDraft,
  ImportPart,
  ImportProgress,
  ImportState,
  ImportSummary,
} from "#schema/imports.ts";
import type { AcceptedFile, AcceptedFiles } from "./accept-files.ts";
import type { ImportFileView } from "./contract.ts";

type FileRow = z.input<typeof ImportFileView>;

export interface Analysis {
  state: ImportState;
  formats: string[];
  progress: ImportProgress;
  summary: ImportSummary;
  parts: Partial<Record<ImportPart, JsonMap[]>>;
  /** The draft of each root module, in the order of `parts.drafts`. */
  drafts: ImportDraft[];
}

/** The result of an import. Parses nothing if the files are too large together. */
export async function analyse(
  { files, tooLarge }: AcceptedFiles,
  report: SentReport | undefined,
  options: ReadingOptions,
): Promise<Analysis> {
  const log = new ImportLog();
  if (tooLarge)
    log.add(
      "error",
      "import_too_large",
      "The files are larger than 10 MiB together. Import fewer files at a time.",
    );
  for (const file of files)
    if (!file.ok) log.add("error", file.reason, file.message, { file: file.path });
  const readable = tooLarge ? [] : files.flatMap(fileToParse);
  const reading = await read(readable, tooLarge ? undefined : report, log, options);
  if (report !== undefined && reading?.report === undefined && !tooLarge)
    log.add(
      "warning",
      "report_unrecognized",
      "This kind of report is not known; the report is ignored. Known are plans and states of Terraform as JSON, Checkov, driftctl and SARIF 2.1.",
    );
  if (files.length === 0 && report === undefined)
    log.add(
      "warning",
      "empty_import",
      "The request has neither files nor a report: there is nothing to import.",
    );
  const rows = files.map((file) => rowOf(file, reading, tooLarge));
  const count = (state: FileRow["state"]) => rows.filter((row) => row.state === state).length;
  const progress = {
    total: rows.length,
    parsed: count("PARSED"),
    failed: count("FAILED"),
    skipped: count("SKIPPED"),
  };
  const warnings = log.warnings();
  const parsed = rows.filter(({ state }) => state === "PARSED");
  return {
    state: stateOf(progress, warnings),
    formats: [...new Set(parsed.flatMap(({ format }) => format ?? []))].toSorted(),
    progress,
    summary: summaryOf(reading),
    parts: { files: rows, ...listsOf(reading), warnings: asMaps(warnings) },
    drafts: draftsOf(reading),
  };
}

/** Loads the parsers, at the first import. */
async function read(
  files: readonly ImportFile[],
  report: SentReport | undefined,
  log: ImportLog,
  options: ReadingOptions,
): Promise<ImportReading | undefined> {
  if (files.length === 0 && report === undefined) return undefined;
  const { readImport } = await import("#importers/read-import.ts");
  return readImport(files, report, log, options);
}

function fileToParse(file: AcceptedFile): ImportFile[] {
  if (!file.ok) return [];
  const { path, text, format } = file;
  return [{ path, text, format }];
}

function rowOf(file: AcceptedFile, reading: ImportReading | undefined, tooLarge: boolean): FileRow {
  const { path, bytes } = file;
  const row = { path, format: null, bytes, sha256: file.ok ? file.sha256 : null, counts: {} };
  if (!file.ok) return { ...row, state: "FAILED", reason: file.reason };
  if (tooLarge) return { ...row, state: "FAILED", reason: "import_too_large" };
  const verdict = reading?.files.get(path);
  if (verdict === undefined) throw new Error("A parser gave no verdict on a file");
  const { format, state, reason = null, counts } = verdict;
  return { ...row, format, state, reason, counts: { ...counts } };
}

function listsOf(reading: ImportReading | undefined): Partial<Record<ImportPart, JsonMap[]>> {
  if (reading === undefined) return {};
  const { inventory, report, drafts } = reading;
  const { clouds: _, nodes, ...lists } = inventory;
  return {
    ...(Object.fromEntries(
      Object.entries(lists).map(([part, items]) => [part, asMaps(items)]),
    ) as Partial<Record<ImportPart, JsonMap[]>>),
    nodes: nodes.map((id) => ({ id })),
    findings: asMaps(report?.findings ?? []),
    drafts: drafts.map(({ module, format, mapped, partlyMapped, notMapped }) => ({
      module,
      format,
      mapped,
      partlyMapped,
      notMapped,
    })),
    coverage: asMaps(
      drafts.flatMap(({ coverage, module }) => coverage.map((one) => ({ module, ...one }))),
    ),
  };
}

/** The drafts to store: those with a source, without the coverage, which is a list of its own. */
function draftsOf(reading: ImportReading | undefined): ImportDraft[] {
  return (reading?.drafts ?? []).flatMap(({ coverage: _coverage, source, ...draft }) =>
    source === null
      ? []
      : {
          ...draft,
          source,
          unsupported: asMaps(draft.unsupported),
          unresolved: asMaps(draft.unresolved),
        },
  );
}

function summaryOf(reading: ImportReading | undefined): ImportSummary {
  const report = reading?.report;
  return {
    clouds: asMaps(reading?.inventory.clouds ?? []),
    report: report === undefined ? null : { kind: report.kind, summary: { ...report.summary } },
  };
}

/** Interfaces of plain data are JSON, which TypeScript does not infer for them. */
function asMaps(items: readonly object[]): JsonMap[] {
  return items as JsonMap[];
}

/** An empty import is COMPLETED; one whose files all failed is FAILED. */
function stateOf(
  { total, failed }: ImportProgress,
  warnings: readonly { code: string; severity: string }[],
): ImportState {
  if (total > 0 && failed === total) return "FAILED";
  return warnings.some(({ code, severity }) => code !== "empty_import" && severity !== "info")
    ? "COMPLETED_WITH_WARNINGS"
    : "COMPLETED";
}
