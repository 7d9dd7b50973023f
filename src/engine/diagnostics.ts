/** A problem in a template: what is wrong, where, and how to correct it. */
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
  /** What to write instead, when known. */
  hint?: string;
}
