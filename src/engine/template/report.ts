import type { Diagnostic } from "#engine/diagnostics.ts";
import type { Place } from "./template.ts";

const MAX_DIAGNOSTICS = 1000;

/** Collects the diagnostics of one template, up to 1,000; an error replaces a warning. */
export class Report {
  readonly #errors: Diagnostic[] = [];
  readonly #warnings: Diagnostic[] = [];
  #dropped = 0;
  #failed = false;

  error(code: string, message: string, place: Place, hint?: string): void {
    this.add(diagnosticAt("error", code, message, place, hint));
  }

  warning(code: string, message: string, place: Place, hint?: string): void {
    this.add(diagnosticAt("warning", code, message, place, hint));
  }

  add(diagnostic: Diagnostic): void {
    const isError = diagnostic.severity === "error";
    if (isError) this.#failed = true;
    const kept = isError ? this.#errors : this.#warnings;
    if (kept.length < MAX_DIAGNOSTICS) kept.push(diagnostic);
    else this.#dropped++;
  }

  /** True once an error was added, even if it was dropped. */
  get failed(): boolean {
    return this.#failed;
  }

  /** True once so many errors are not shown that their number does not matter. */
  get isFull(): boolean {
    return this.#failed && this.#dropped >= MAX_DIAGNOSTICS;
  }

  /** Errors first, each kind in text order; a last diagnostic gives the number of dropped ones. */
  get diagnostics(): Diagnostic[] {
    const all = [...inTextOrder(this.#errors), ...inTextOrder(this.#warnings)];
    const shown = all.slice(0, MAX_DIAGNOSTICS);
    const dropped = this.#dropped + all.length - shown.length;
    if (dropped > 0)
      shown.push({
        severity: this.#failed ? "error" : "warning",
        code: "too_many_diagnostics",
        message: `${dropped} more diagnostics are not shown. Correct these first.`,
        path: "",
        line: 0,
        column: 0,
      });
    return shown;
  }
}

function inTextOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column || 0);
}

export function diagnosticAt(
  severity: Diagnostic["severity"],
  code: string,
  message: string,
  place: Place,
  hint?: string,
): Diagnostic {
  const { path, line, column, endLine, endColumn } = place;
  const diagnostic: Diagnostic = { severity, code, message, path, line, column };
  if (endLine !== undefined && endColumn !== undefined)
    Object.assign(diagnostic, { endLine, endColumn });
  if (hint !== undefined) diagnostic.hint = hint;
  return diagnostic;
}

const MAX_QUOTED = 80;

/** User text for messages: quoted, on one line, at most 80 characters. */
export function quoted(text: string): string {
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return JSON.stringify(short);
}

/** A hint with the nearest known name, if any. */
export function didYouMean(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `Did you mean ${quoted(name)}?`;
}
