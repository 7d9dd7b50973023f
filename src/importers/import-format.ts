import type { ImportFormatName } from "./format-names.ts";
import type { ImportFile } from "./import-file.ts";
import type { ImportLog } from "./import-log.ts";
import type { ImportedFiles } from "./imported-files.ts";
import type { SourceModule } from "./source-module.ts";

/** A parser's verdict on a file. */
export interface FileVerdict {
  path: string;
  /** FAILED: nothing could be read, and the log has the reason. SKIPPED: the file is empty, or another replaces it. */
  state: "PARSED" | "FAILED" | "SKIPPED";
  /** The code of the warning that explains FAILED or SKIPPED. */
  reason?: string | undefined;
  /**
   * The number of blocks by the format's word for them: `resource`, `data`, `variable`, `output`, `module`, `provider`.
   */
  counts: Readonly<Record<string, number>>;
}

/** A file with its module, if it is one of its own. */
export interface ReadFile {
  verdict: FileVerdict;
  module?: SourceModule;
}

/** The result of parsing all files of one format: one verdict for each file, in the same order. */
export interface ParsedFormat {
  verdicts: readonly FileVerdict[];
  modules: readonly SourceModule[];
}

/** Parses the files of one format. Never throws, whatever a file contains. */
export interface FormatParser {
  /** Reads one file. Small files of all formats come first, so the order is not that of the import. */
  read: (file: ImportFile) => void;
  /** Combines the files, once all are read. */
  finish: () => ParsedFormat;
}

/**
 * Starts to parse files of one format, which are in the order of the import. `all`: the files of every format, which
 * these may read.
 */
export type FormatParserOf = (
  files: readonly ImportFile[],
  log: ImportLog,
  all: ImportedFiles,
) => FormatParser;

export interface ImportFormat {
  name: ImportFormatName;
  /** Decides by the path and a cheap look at the content, in time linear to the text. */
  detect: (file: ImportFile) => boolean;
  /** Loads the parser, which is not needed before the first import. */
  load: () => Promise<FormatParserOf>;
}
