/** What is wrong with a template, where, and what to do about it. */
export interface Diagnostic {
  severity: "error" | "warning";
  /** Stable, snake_case, e.g. `unknown_reference`, `unknown_type`, `dependency_cycle`. */
  code: string;
  message: string;
  /** Where in the document, as a JSON Pointer (RFC 6901), e.g. `/resources/db/properties/region`. */
  path: string;
  /** 1-based; 0 when the place is not a place in the text. */
  line: number;
  column: number;
  /** What to write instead, when that can be told. */
  hint?: string;
}
