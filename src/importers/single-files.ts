import type { ImportFile } from "./import-file.ts";
import type { FormatParser, ParsedFormat, ReadFile } from "./import-format.ts";

/** A parser of files that are modules of their own. */
export function parserOfSingleFiles(
  files: readonly ImportFile[],
  read: (file: ImportFile) => ReadFile,
): FormatParser {
  const parsed = new Map<string, ReadFile>();
  return {
    read: (file) => {
      parsed.set(file.path, read(file));
    },
    finish: () => parsedFormat(files.flatMap(({ path }) => parsed.get(path) ?? [])),
  };
}

/** The verdicts and modules of files, in their order. */
export function parsedFormat(files: readonly ReadFile[]): ParsedFormat {
  return {
    verdicts: files.map(({ verdict }) => verdict),
    modules: files.flatMap(({ module }) => module ?? []),
  };
}
