/** A problem in a template: the fault, its place, and its correction. */
export interface Diagnostic {
  severity: "error" | "warning";
  /** Stable, snake_case, e.g. `unknown_reference`, `unknown_type`, `dependency_cycle`. */
  code: string;
  message: string;
  /** JSON Pointer (RFC 6901) into the document, e.g. `/resources/db/properties/region`. */
  path: string;
  /** 1-based; 0 when the problem has no position in the text. */
  line: number;
  column: number;
  /** The text to write instead, when known. */
  hint?: string;
}
