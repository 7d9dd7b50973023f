import { formatNamed, importFormats } from "./formats.ts";
import type { ImportFile } from "./import-file.ts";
import type { FileVerdict, ImportFormat, ParsedFormat } from "./import-format.ts";
import type { ImportLog } from "./import-log.ts";
import type { SourceModule } from "./source-module.ts";

/** `format` is null for a file of no known format. */
export interface ParsedFile extends FileVerdict {
  format: string | null;
}

export interface ParsedFiles {
  /** One entry for each file, by path. */
  files: ReadonlyMap<string, ParsedFile>;
  modules: readonly SourceModule[];
}

/** Parses every file by its format. A file that cannot be parsed does not affect the others. */
export async function parseFiles(
  files: readonly ImportFile[],
  log: ImportLog,
): Promise<ParsedFiles> {
  const ofFormat = new Map<ImportFormat, ImportFile[]>();
  const parsed = new Map<string, ParsedFile>();
  for (const file of files) {
    const format = formatOf(file, log);
    if (format === undefined) {
      parsed.set(file.path, unsupported(file, log));
      continue;
    }
    const others = ofFormat.get(format);
    if (others === undefined) ofFormat.set(format, [file]);
    else others.push(file);
  }
  const modules: SourceModule[] = [];
  for (const format of importFormats) {
    const own = ofFormat.get(format);
    if (own === undefined) continue;
    const { verdicts, modules: found } = await parseAs(format, own, log);
    for (const verdict of verdicts) parsed.set(verdict.path, { ...verdict, format: format.name });
    modules.push(...found);
  }
  return { files: parsed, modules };
}

async function parseAs(
  format: ImportFormat,
  files: readonly ImportFile[],
  log: ImportLog,
): Promise<ParsedFormat> {
  const parse = await format.load();
  return parse(files, log);
}

function formatOf(file: ImportFile, log: ImportLog): ImportFormat | undefined {
  if (file.format !== undefined) {
    const named = formatNamed(file.format);
    if (named !== undefined) return named;
    log.add(
      "warning",
      "unknown_format",
      `This \`format\` is not known; the file's name and content decide. Known are: ${importFormats.map(({ name }) => name).join(", ")}.`,
      { file: file.path },
    );
  }
  return importFormats.find(({ detect }) => detect(file));
}

function unsupported({ path }: ImportFile, log: ImportLog): ParsedFile {
  const message = path.endsWith(".bicep")
    ? "Bicep is not read. Build it to JSON (`bicep build`) and import that file."
    : "This file format is not supported; the file is skipped.";
  log.add("warning", "unsupported_format", message, { file: path });
  return { path, format: null, state: "SKIPPED", reason: "unsupported_format", counts: {} };
}
