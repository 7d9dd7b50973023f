import type { ImportFormatName } from "./format-names.ts";
import type { ImportFile } from "./import-file.ts";
import type { ImportLog } from "./import-log.ts";
import type { SourceModule } from "./source-module.ts";

/** What a parser says of a file that it was given. */
export interface FileVerdict {
  path: string;
  /** FAILED: nothing of it could be read, the log says why. SKIPPED: something else replaces it, or it has nothing. */
  state: "PARSED" | "FAILED" | "SKIPPED";
  /** The code of the warning that explains FAILED and SKIPPED. */
  reason?: string | undefined;
  /** Blocks by kind as the format calls them: `resource`, `data`, `variable`, `output`, `module`, `provider`. */
  counts: Readonly<Record<string, number>>;
}

/** All files of one format, parsed together. One verdict for each file, in the same order. */
export interface ParsedFormat {
  verdicts: readonly FileVerdict[];
  modules: readonly SourceModule[];
}

/** Parses all files of an import that are of its format. Never throws for what a file contains. */
export type ParseFormat = (
  files: readonly ImportFile[],
  log: ImportLog,
) => Promise<ParsedFormat> | ParsedFormat;

export interface ImportFormat {
  name: ImportFormatName;
  /** Decides by path and a cheap look at the content, in time linear to the text. */
  detect: (file: ImportFile) => boolean;
  /** Loads the parser, which no request needs before the first import. */
  load: () => Promise<ParseFormat>;
}
