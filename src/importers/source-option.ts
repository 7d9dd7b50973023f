import type { Expression } from "./expression.ts";

/** An option of a resource in the source, such as its retention. A format lists all of them, so that none is lost in silence. */
export type SourceOption = {
  /** In the source's words: `lifecycle.ignore_changes`, `DeletionPolicy`. */
  name: string;
  line: number;
} &
  /** `when`: whether it holds, if that is computed. */
  (
    | { kind: "protect" | "retainOnDelete" | "deleteBeforeReplace"; when?: Expression }
    /** `paths`: of properties, in the source's words. */
    | { kind: "ignoreChanges" | "replaceOnChanges"; paths: readonly string[] }
    | { kind: "additionalSecretOutputs" | "aliases"; names: readonly string[] }
    | { kind: "customTimeouts"; timeouts: { readonly [operation: string]: Expression } }
    /** A draft has no option for it. */
    | { kind: "left out"; reason: string }
  );
