import type { Expression } from "#importers/expression.ts";

export type Kind = "string" | "number" | "bool" | "list" | "set" | "map" | "unknown";

/** The value that a condition is about. */
export interface Subject {
  is: (of: Expression) => boolean;
  kind: Kind;
  /** Of its items or members. */
  inner: Kind;
  /** Spends units of work. False: the budget of the condition or of the import is spent. */
  spend: (units: number) => boolean;
}
