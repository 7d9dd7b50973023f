/** The words about a template's source, on the page and in its script. */
import { counted } from "./counted.ts";

export interface Diagnostic {
  severity: "error" | "warning";
  /** From 1; 0 for the whole source. */
  line: number;
  column: number;
  endLine?: number | undefined;
  endColumn?: number | undefined;
  message: string;
  hint?: string | undefined;
  code: string;
}

/** A resource or component of a template. */
export interface SourceResource {
  name: string;
  type: string | null;
  component: string | null;
  /** The versions of the component. */
  range: string | null;
  conditional: boolean;
  repeats: boolean;
  dependsOn: readonly string[];
}

export const resourcesLabel = "The template's resources and what each depends on";
export const madeTitle = "Made";

export function diagnosticWords({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

export function placeWords({ line, column }: Diagnostic): string {
  return `Line ${line}, column ${column}`;
}

export function severityTone({ severity }: Diagnostic): "bad" | "wait" {
  return severity === "error" ? "bad" : "wait";
}

export function countWords(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (diagnostics.length === 0) return "Nothing is wrong with the source.";
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}.`;
}

export function typeWords({ type, component, range }: SourceResource): string {
  return type ?? `component ${component} ${range}`;
}

/** How often a resource is made. Undefined: once. */
export function madeWords({ conditional, repeats }: SourceResource): string | undefined {
  if (repeats) return conditional ? "for each key, on a condition" : "for each key";
  return conditional ? "on a condition" : undefined;
}
