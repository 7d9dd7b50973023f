import { smallFirst } from "./fair-shares.ts";
import { formatNamed, importFormats } from "./formats.ts";
import type { ImportFile } from "./import-file.ts";
import type { FileVerdict, FormatParser, ImportFormat } from "./import-format.ts";
import type { ImportLog } from "./import-log.ts";
import { ImportedFiles } from "./imported-files.ts";
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
  const unknown: ImportFile[] = [];
  for (const file of files) {
    const format = formatOf(file, log);
    if (format === undefined) {
      unknown.push(file);
      continue;
    }
    const others = ofFormat.get(format);
    if (others === undefined) ofFormat.set(format, [file]);
    else others.push(file);
  }
  const all = new ImportedFiles(files);
  const parsers = new Map<ImportFormat, FormatParser>();
  for (const format of importFormats) {
    const own = ofFormat.get(format);
    if (own !== undefined) parsers.set(format, (await format.load())(own, log, all));
  }
  readSmallFirst(ofFormat, parsers);
  const modules: SourceModule[] = [];
  const paths = new Set<string>();
  for (const [format, parser] of parsers) {
    const { verdicts, modules: found } = parser.finish();
    for (const verdict of verdicts) parsed.set(verdict.path, { ...verdict, format: format.name });
    for (const module of found) modules.push(withOwnPath(module, paths));
  }
  for (const file of unknown)
    parsed.set(file.path, readByOthers(file, all) ?? unsupported(file, log));
  for (const [path, { state }] of parsed) {
    const read = state === "PARSED" ? undefined : readByOthers({ path }, all);
    if (read === undefined) continue;
    log.forget(path);
    parsed.set(path, read);
  }
  return { files: parsed, modules };
}

/** Two formats may have a module of the same folder: the second one is named by its files. */
function withOwnPath(module: SourceModule, taken: Set<string>): SourceModule {
  const { path } = module;
  const own = taken.has(path) ? (path === "." ? "*.yaml" : `${path}/*.yaml`) : path;
  taken.add(own);
  return own === path ? module : { ...module, path: own };
}

/** A file is read whole or not at all, so the large ones take what the small ones leave of the import's work. */
function readSmallFirst(
  ofFormat: ReadonlyMap<ImportFormat, readonly ImportFile[]>,
  parsers: ReadonlyMap<ImportFormat, FormatParser>,
): void {
  const all = [...parsers].flatMap(([format, parser]) =>
    (ofFormat.get(format) ?? []).map((file) => ({ file, parser })),
  );
  for (const { file, parser } of smallFirst(all, ({ file }) => file.text.length)) parser.read(file);
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

/**
 * The verdict on a file that another file reads, such as a script, or a template that only looks like a manifest.
 * Undefined: none reads it.
 */
function readByOthers(
  { path }: Pick<ImportFile, "path">,
  all: ImportedFiles,
): ParsedFile | undefined {
  const format = all.readerOf(path);
  return format && { path, format, state: "PARSED", counts: {} };
}

function unsupported({ path }: ImportFile, log: ImportLog): ParsedFile {
  const message = path.endsWith(".bicep")
    ? "Bicep is not read. Build it to JSON (`bicep build`) and import that file."
    : "This file format is not supported; the file is skipped.";
  log.add("warning", "unsupported_format", message, { file: path });
  return { path, format: null, state: "SKIPPED", reason: "unsupported_format", counts: {} };
}
