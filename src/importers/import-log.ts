export type Severity = "error" | "warning" | "info";

/** A finding in the files that the importing person should know. */
export interface ImportWarning {
  code: string;
  severity: Severity;
  file: string | null;
  line: number | null;
  column: number | null;
  message: string;
}

const MAX_OF_A_FILE = 50;
const MAX_OF_AN_IMPORT = 1_000;
const MAX_MESSAGE = 1_000;

/**
 * The warnings of one import, at most 50 per file and 1,000 in all. A last warning counts those left out. Messages must
 * never repeat a value of a file: it may be a secret.
 */
export class ImportLog {
  #warnings: ImportWarning[] = [];
  readonly #ofFile = new Map<string, number>();
  readonly #errors = new Map<string, string>();

  add(
    severity: Severity,
    code: string,
    message: string,
    place: { file?: string; line?: number; column?: number } = {},
  ): void {
    const { file = null, line = null, column = null } = place;
    if (file !== null) {
      if (severity === "error") this.#errors.set(file, code);
      const before = this.#ofFile.get(file) ?? 0;
      this.#ofFile.set(file, before + 1);
      if (before >= MAX_OF_A_FILE) return;
    }
    const short = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
    this.#warnings.push({ code, severity, file, line, column, message: short.toWellFormed() });
  }

  /** Forgets the warnings of a file that another format reads after all. */
  forget(file: string): void {
    this.#warnings = this.#warnings.filter((one) => one.file !== file);
    this.#ofFile.delete(file);
    this.#errors.delete(file);
  }

  /** The code of the last error in a file, even if its warning was left out: the reason of a FAILED verdict. */
  errorOf(file: string): string | undefined {
    return this.#errors.get(file);
  }

  warnings(): ImportWarning[] {
    const more = [...this.#ofFile]
      .filter(([, count]) => count > MAX_OF_A_FILE)
      .map(([file, count]) => tooMany(file, count - MAX_OF_A_FILE));
    const all = [...this.#warnings, ...more];
    if (all.length <= MAX_OF_AN_IMPORT) return all;
    return [
      ...all.slice(0, MAX_OF_AN_IMPORT - 1),
      tooMany(null, all.length - MAX_OF_AN_IMPORT + 1),
    ];
  }
}

function tooMany(file: string | null, count: number): ImportWarning {
  const message = `${count} more ${count === 1 ? "warning is" : "warnings are"} not shown.`;
  return {
    code: "too_many_warnings",
    severity: "warning",
    file,
    line: null,
    column: null,
    message,
  };
}
