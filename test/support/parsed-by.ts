import type { ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf, ParsedFormat } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { ImportedFiles } from "#importers/imported-files.ts";

/** Parses files of one format, as an import of them does. */
export function parsedBy(
  parserOf: FormatParserOf,
  files: readonly ImportFile[],
  log: ImportLog,
): ParsedFormat {
  const parser = parserOf(files, log, new ImportedFiles(files));
  for (const file of files) parser.read(file);
  return parser.finish();
}
