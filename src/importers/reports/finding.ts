import type { ImportLog } from "#importers/import-log.ts";
import { withoutSecretWords } from "#importers/secrets/secret-words.ts";

/** The severity on one scale for all tools. SARIF's error, warning, note and none are high to info. */
export type FindingSeverity = "critical" | "high" | "medium" | "low" | "info";

/** A finding of a report. It never repeats a value of a resource's attributes, or text that looks like a secret. */
export interface Finding {
  /** The tool's rule, or the kind of a change or drift: `CKV_AWS_20`, `replace`, `unmanaged`. */
  rule: string;
  /** Null: the report has none. */
  severity: FindingSeverity | null;
  /** The address of the resource in the report, or its type and id if it has no address. */
  resource: string | null;
  file: string | null;
  line: number | null;
  message: string;
}

export const MAX_FINDINGS = 20_000;
const MAX_TEXT = 500;

/** The text, cut to 500 characters. */
export function shortened(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  // The cut may have split a surrogate pair.
  return short.toWellFormed();
}

/** The findings of one report: at most 20,000, with short texts. */
export class FindingList {
  readonly #findings: Finding[] = [];
  #left = 0;

  add(finding: Finding): void {
    if (this.#findings.length >= MAX_FINDINGS) {
      this.#left += 1;
      return;
    }
    const { rule, severity, resource, file, line, message } = finding;
    this.#findings.push({
      rule: withoutSecretWords(shortened(rule)),
      severity,
      resource: resource === null ? null : withoutSecretWords(shortened(resource)),
      file: file === null ? null : withoutSecretWords(shortened(file)),
      line,
      message: withoutSecretWords(shortened(message)),
    });
  }

  /** Returns the findings, and logs the number of those left out. */
  finish(log: ImportLog): readonly Finding[] {
    if (this.#left > 0)
      log.add(
        "warning",
        "too_many_findings",
        `The report has ${MAX_FINDINGS + this.#left} findings: only the first ${MAX_FINDINGS} are kept.`,
      );
    return this.#findings;
  }
}
