/** What a source says of a resource beside its properties. Every format lists all of it, so that nothing is lost in silence. */
export type SourceOption = {
  /** In the source's words: `lifecycle.ignore_changes`, `DeletionPolicy`. */
  name: string;
  line: number;
} & (
  | { kind: "protect" | "retainOnDelete" | "deleteBeforeReplace" }
  /** `paths`: of properties, in the source's words. */
  | { kind: "ignoreChanges" | "replaceOnChanges"; paths: readonly string[] }
  | { kind: "additionalSecretOutputs" | "aliases"; names: readonly string[] }
  | { kind: "customTimeouts"; timeouts: { readonly [operation: string]: string } }
  /** A draft has no option for it. */
  | { kind: "left out"; reason: string }
);
