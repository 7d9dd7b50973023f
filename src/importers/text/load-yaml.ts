import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import {
  composedDocuments,
  type YamlDialect,
  type YamlFault,
  YamlRefusal,
} from "./compose-yaml.ts";
import { MAX_DATA_DOCUMENTS, MAX_DATA_VALUES, withoutByteOrderMark } from "./data-limits.ts";
import type { DataNode } from "./data-node.ts";
import { lineStartsOf, placeAt } from "./text-lines.ts";
import { spendValues } from "./value-budget.ts";
import { UNITS_OF_COST } from "./yaml-budget.ts";
import { YamlReader } from "./yaml-reader.ts";

/**
 * The documents of a YAML file, with lines. Documents with a syntax error are left out. Undefined if nothing can be
 * read; an error in the log has the reason. All files with the same log share its work.
 */
export function loadYaml(
  file: ImportFile,
  log: ImportLog,
  dialect: YamlDialect = "1.2",
): readonly DataNode[] | undefined {
  const { path } = file;
  const text = withoutByteOrderMark(file.text);
  const lineStarts = lineStartsOf(text);
  const reader = new YamlReader(lineStarts, path, log, dialect);
  const nodes: DataNode[] = [];
  let documents = 0;
  let broken = 0;
  const work = workOf(log);
  const before = work.readable / UNITS_OF_COST;
  const budget = { left: before };
  try {
    for (const { document, faults } of composedDocuments(text, budget, dialect)) {
      documents += 1;
      if (documents > MAX_DATA_DOCUMENTS)
        throw new YamlRefusal("too_many_documents", tooManyDocuments, document.range[0]);
      if (faults.length > 0) {
        broken += 1;
        reportFaults(faults, lineStarts, path, log);
        continue;
      }
      const node = reader.read(document);
      if (reader.count > MAX_DATA_VALUES)
        throw new YamlRefusal("too_many_values", tooManyValues, document.range[0]);
      if (node !== undefined) nodes.push(node);
    }
  } catch (error) {
    if (!(error instanceof YamlRefusal)) throw error;
    log.add("error", error.code, error.message, {
      file: path,
      ...placeAt(lineStarts, error.offset),
    });
    return undefined;
  } finally {
    work.spendReading((before - budget.left) * UNITS_OF_COST);
  }
  if (dialect === "cloudformation" && reader.aliased !== undefined)
    log.add("info", "aliases_resolved", aliasesResolved, { file: path, line: reader.aliased });
  if (nodes.length === 0 && broken > 0) {
    log.add("error", "invalid_yaml", "No document of the file is valid YAML.", { file: path });
    return undefined;
  }
  return spendValues(2 * reader.count, file, log) ? nodes : undefined;
}

const aliasesResolved =
  "CloudFormation itself reads no aliases and merge keys: they are resolved as `aws cloudformation package` does.";
const tooManyDocuments = `The file has more than ${MAX_DATA_DOCUMENTS} documents: split it.`;
const tooManyValues = `The file has more than ${MAX_DATA_VALUES} values: split it.`;

/** The parser goes on after an error. Later errors mostly follow from the first ones. */
const MAX_SHOWN_ERRORS = 5;

function reportFaults(
  faults: readonly YamlFault[],
  lineStarts: readonly number[],
  file: string,
  log: ImportLog,
): void {
  const lines = new Set<number>();
  for (const { code, offset } of faults) {
    const place = placeAt(lineStarts, offset);
    if (lines.has(place.line)) continue;
    lines.add(place.line);
    log.add("warning", "invalid_yaml", messageOf(code), { file, ...place });
    if (lines.size === MAX_SHOWN_ERRORS) return;
  }
}

const messages: { readonly [code: string]: string } = {
  BAD_INDENT: "A line is indented less or more than its block.",
  TAB_AS_INDENT: "A line is indented with a tab: YAML allows only spaces.",
  MISSING_CHAR: "A bracket, a quotation mark or a colon is missing.",
  UNEXPECTED_TOKEN: "Something stands where YAML does not allow it.",
  BAD_DQ_ESCAPE: "A quoted string has an escape that YAML does not know.",
  BLOCK_AS_IMPLICIT_KEY: "A key is followed by more than one value on its line.",
  MULTILINE_IMPLICIT_KEY: "A key spans several lines; a colon may be missing.",
};

/** The library's messages quote the file, so they are replaced. */
function messageOf(code: string): string {
  const what = Object.hasOwn(messages, code) ? messages[code] : undefined;
  return `${what ?? "The syntax is not YAML here."} The document was not read.`;
}
