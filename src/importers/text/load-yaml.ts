import { Composer, Lexer, Parser, type Document, type YAMLError } from "yaml";
import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import {
  MAX_DATA_DOCUMENTS,
  MAX_DATA_NESTING,
  MAX_DATA_VALUES,
  withoutMark,
} from "./data-limits.ts";
import type { DataNode } from "./data-node.ts";
import { lineStartsOf, placeAt } from "./text-lines.ts";
import { type YamlBudget, MAX_YAML_STEPS, yamlBudget } from "./yaml-budget.ts";
import { YamlReader } from "./yaml-reader.ts";

/**
 * The documents of a YAML file with places; those with a syntax error are left out. Undefined: nothing can be read, and
 * an error in the log says why. Give all files of an import the same budget.
 */
export function loadYaml(
  file: ImportFile,
  log: ImportLog,
  budget: YamlBudget = yamlBudget(),
): readonly DataNode[] | undefined {
  const { path } = file;
  const text = withoutMark(file.text);
  const fail = (code: string, message: string, place: object = {}): undefined => {
    log.add("error", code, message, { file: path, ...place });
  };
  if (text.includes("\0"))
    return fail("invalid_yaml", "The file contains a NUL character: it is not YAML.");
  const lineStarts = lineStartsOf(text);
  const reader = new YamlReader(lineStarts, path, log);
  const nodes: DataNode[] = [];
  let broken = 0;
  try {
    for (const document of documentsOf(text, budget)) {
      if (document.errors.length > 0) {
        broken += 1;
        reportErrors(document.errors, lineStarts, path, log);
        continue;
      }
      if (nodes.length + broken === MAX_DATA_DOCUMENTS)
        throw new Refusal("too_many_documents", tooManyDocuments, document.range[0]);
      const node = reader.read(document);
      if (reader.count > MAX_DATA_VALUES)
        throw new Refusal("too_many_values", tooManyValues, document.range[0]);
      if (node !== undefined) nodes.push(node);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = error.offset === undefined ? {} : placeAt(lineStarts, error.offset);
    return fail(error.code, error.message, place);
  }
  if (nodes.length === 0 && broken > 0)
    return fail("invalid_yaml", "No document of the file is valid YAML.");
  return nodes;
}

const tooManyDocuments = `The file has more than ${MAX_DATA_DOCUMENTS} documents: split it.`;
const tooManyValues = `The file has more than ${MAX_DATA_VALUES} values: split it.`;

/** Why a file is not read to its end. */
class Refusal extends Error {
  readonly code: string;
  readonly offset: number | undefined;

  constructor(code: string, message: string, offset?: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

function* documentsOf(text: string, budget: YamlBudget): Generator<Document.Parsed> {
  const parser = new Parser();
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // The library compares all pairs of keys; the reader finds duplicates in linear time.
    uniqueKeys: false,
    logLevel: "silent",
  });
  let steps = 0;
  for (const lexeme of new Lexer().lex(text)) {
    steps += 1;
    budget.steps -= 1;
    if (steps > MAX_YAML_STEPS || budget.steps < 0)
      throw new Refusal("parse_budget_exceeded", overBudget(steps > MAX_YAML_STEPS), parser.offset);
    for (const token of parser.next(lexeme)) yield* composer.next(token);
    // Checked while lexing: building nodes from deeper text recurses.
    if (parser.stack.length > MAX_DATA_NESTING + 2)
      throw new Refusal(
        "nesting_too_deep",
        `The file nests deeper than ${MAX_DATA_NESTING} levels: it was not read.`,
        parser.offset,
      );
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end(false, text.length) as Generator<Document.Parsed>;
}

function overBudget(ofFile: boolean): string {
  return ofFile
    ? "The file takes too long to parse: it was not read. Split it into smaller files."
    : "The YAML of this import takes too long to parse: this file was not read. Import it on its own.";
}

/** The parser goes on after an error: what it says further down mostly follows from the first ones. */
const MAX_SHOWN_ERRORS = 5;

function reportErrors(
  errors: readonly YAMLError[],
  lineStarts: readonly number[],
  file: string,
  log: ImportLog,
): void {
  const lines = new Set<number>();
  for (const { code, pos } of errors) {
    const place = placeAt(lineStarts, pos[0]);
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

/** The library's messages quote the file. */
function messageOf(code: string): string {
  const what = Object.hasOwn(messages, code) ? messages[code] : undefined;
  return `${what ?? "The syntax is not YAML here."} The document was not read.`;
}
