import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type Document,
  type ParsedNode,
  type YAMLError,
} from "yaml";
import { escapePointer } from "#platform/json.ts";
import { meantByBraces } from "./mistakes/other-languages.ts";
import { type SyntaxWords, syntaxWords } from "./mistakes/syntax-words.ts";
import {
  CUT_BY_COLON,
  CUT_BY_COMMENT,
  endsInExpression,
  QUOTE,
} from "./mistakes/unquoted-expressions.ts";
import { quoted, type Report } from "./report.ts";
import { scalarOffsets } from "./scalar-offsets.ts";
import type { Place, PlaceAt } from "./template.ts";

export const MAX_SOURCE_CHARACTERS = 200_000;
export const MAX_NESTING = 32;
/** Keys, texts, lists and maps. A parsed one takes up to 1.5 KB of memory, of which an isolate has 128 MiB. */
const MAX_NODES = 50_000;
/** The lexeme before each text without quotes. */
const PLAIN = "\u001f";
const nodeStarts = new Set([PLAIN, "'", '"', "[", "{"]);

/**
 * Maximum blocks open in the parser. Checked while lexing, because building nodes from deeper text recurses, and
 * V8 may abort the whole process when the stack overflows inside a regular expression.
 */
const MAX_OPEN_BLOCKS = 100;

/** A JSON value with its place in the text. The rest of the template language does not see YAML. */
export type DocumentNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  kind: "scalar";
  value: null | boolean | number | string;
  place: Place;
  /** The place of an offset in a string. */
  placeAt?: PlaceAt;
  /** An error was reported: the value is not the written one. */
  isUnreadable?: true;
}
export interface ListNode {
  kind: "list";
  items: DocumentNode[];
  place: Place;
}
export interface MapNode {
  kind: "map";
  entries: MapEntry[];
  place: Place;
}
export interface MapEntry {
  key: string;
  keyPlace: Place;
  value: DocumentNode;
}

/**
 * Reads YAML 1.2 or JSON. Returns undefined when there is no usable tree, with the reason in the report. Rejects
 * anchors, aliases, merge keys, tags and further documents; of a duplicate key, keeps the first.
 */
export function readDocument(
  source: string,
  report: Report,
  component?: string,
): DocumentNode | undefined {
  if (source.length > MAX_SOURCE_CHARACTERS) {
    report.error(
      "source_too_long",
      `The source has ${source.length} characters; the limit is ${MAX_SOURCE_CHARACTERS}.`,
      { path: "", line: 1, column: 1 },
      "Split the template, or move large strings into config values.",
    );
    return undefined;
  }
  const lines = new LineCounter();
  // Editors neither show nor count a byte order mark.
  const mark = source.startsWith("\uFEFF") ? 1 : 0;
  const at = (offset: number, path: string): Place => {
    const { line, col } = lines.linePos(Math.min(offset, source.length));
    return {
      path,
      line: Math.max(1, line),
      column: Math.max(1, line <= 1 ? col - mark : col),
      ...(component === undefined ? {} : { component }),
    };
  };
  const documents = compose(source, lines, {
    tooDeep: (offset) => reportNesting(at(offset, ""), report),
    tooMany: (offset) => reportNodes(at(offset, ""), report),
  });
  if (documents === undefined) return undefined;
  const [document, second] = documents;
  if (document === undefined) return undefined;
  const broken = reportSyntax(document, source, at, report);
  if (second !== undefined)
    report.error(
      "multiple_documents",
      "The source contains more than one YAML document.",
      at(second.range[0], ""),
      "Keep one document: remove everything from the second `---`.",
    );
  const declared = document.directives.yaml;
  if (declared.explicit === true && declared.version !== "1.2")
    report.error(
      "yaml_version",
      "Templates use YAML 1.2; the %YAML directive names another version.",
      at(0, ""),
      "Remove the %YAML directive.",
    );
  const reader = new Reader(source, at, broken, report);
  const root = document.contents === null ? undefined : reader.read(document.contents, "", 1);
  if (document.errors.length > 0) return undefined;
  return root ?? { kind: "scalar", value: null, place: at(0, "") };
}

export function reportNesting(place: Place, report: Report): void {
  report.error(
    "nesting_too_deep",
    `The template nests deeper than ${MAX_NESTING} levels.`,
    place,
    "Flatten the value, or pass it as a string.",
  );
}

function reportNodes(place: Place, report: Report): void {
  report.error(
    "source_too_long",
    `The source has more than ${MAX_NODES} keys and values.`,
    place,
    "Split the template, or move large lists into config values.",
  );
}

export function reportMerge(place: Place, report: Report): void {
  report.error(
    "merge_not_allowed",
    "YAML merge keys (`<<`) are not supported.",
    place,
    "Write out the keys, or refer to a variable.",
  );
}

type ParsedDocument = Document.Parsed;

function compose(
  source: string,
  lines: LineCounter,
  stop: { tooDeep: (offset: number) => void; tooMany: (offset: number) => void },
): ParsedDocument[] | undefined {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens = [];
  let nodes = 0;
  for (const lexeme of new Lexer().lex(source)) {
    if (nodeStarts.has(lexeme.charAt(0))) nodes += 1;
    if (nodes > MAX_NODES) {
      stop.tooMany(parser.offset);
      return undefined;
    }
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_OPEN_BLOCKS) {
      stop.tooDeep(parser.offset);
      return undefined;
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // The library compares all pairs of keys; `#map` finds duplicates in linear time.
    uniqueKeys: false,
    logLevel: "silent",
  });
  const documents: ParsedDocument[] = [];
  for (const document of composer.compose(tokens, true, source.length)) {
    documents.push(document);
    if (documents.length === 2) break;
  }
  return documents;
}

/** Returns the lines with errors. */
function reportSyntax(
  document: ParsedDocument,
  source: string,
  at: (offset: number, path: string) => Place,
  report: Report,
): ReadonlySet<number> {
  const lines = new Set<number>();
  for (const problem of document.errors) {
    // The parser continues after an error. Further errors on the same line follow from it.
    if (lines.has(at(problem.pos[0], "").line)) continue;
    const words = syntaxWords(problem, source);
    const { line } = at(words?.offset ?? problem.pos[0], "");
    if (lines.has(line)) continue;
    lines.add(line);
    reportProblem("error", problem, source, at, report, words);
    if (words?.hidesOthers === true) break;
  }
  for (const problem of document.warnings) reportProblem("warning", problem, source, at, report);
  return lines;
}

function reportProblem(
  severity: "error" | "warning",
  problem: YAMLError,
  source: string,
  at: (offset: number, path: string) => Place,
  report: Report,
  words?: SyntaxWords,
): void {
  const place = at(words?.offset ?? problem.pos[0], "");
  const { code } = problem;
  if (code === "TAG_RESOLVE_FAILED" || code === "MULTIPLE_TAGS")
    report.error(
      "tag_not_supported",
      "Only the YAML tags of JSON types are supported.",
      place,
      "Remove the tag and write the value itself.",
    );
  else if (code === "BAD_ALIAS" || code === "ALIAS_PROPS" || code === "MULTIPLE_ANCHORS")
    report.error("alias_not_allowed", ALIAS_MESSAGE, place, ALIAS_HINT);
  else
    report[severity](
      "yaml_syntax",
      words?.message ?? `${oneLine(problem.message)}.`,
      place,
      source.startsWith("${", problem.pos[0] - 1)
        ? "Quote a string that contains `${` inside `{ }` or `[ ]`."
        : words?.hint,
    );
}

function oneLine(message: string): string {
  const line = message.split("\n", 1)[0] ?? "";
  return (line.length > 200 ? `${line.slice(0, 200)}…` : line).replace(/[.:]$/, "");
}

const ALIAS_MESSAGE = "YAML anchors and aliases are not supported.";
const ALIAS_HINT = "Put the shared value under `variables` and refer to it as `${name}`.";

/** Whether it is a text without quotes that ends inside `${…}`. */
function isCut(node: ParsedNode): boolean {
  return (
    isScalar(node) &&
    node.type === "PLAIN" &&
    typeof node.value === "string" &&
    endsInExpression(node.value)
  );
}

/** Hexadecimal and octal numbers are written so on purpose. */
const DECIMAL = /^[-+]?[.0-9]/;
const OTHER_BASE = /^0[xo]/;

/** Converts the library's nodes to document nodes. */
class Reader {
  readonly #source: string;
  readonly #at: (offset: number, path: string) => Place;
  readonly #broken: ReadonlySet<number>;
  readonly #report: Report;

  /** `broken`: the lines with errors of syntax. */
  constructor(
    source: string,
    at: (offset: number, path: string) => Place,
    broken: ReadonlySet<number>,
    report: Report,
  ) {
    this.#source = source;
    this.#at = at;
    this.#broken = broken;
    this.#report = report;
  }

  read(node: ParsedNode, path: string, depth: number): DocumentNode {
    const place = this.#at(node.range[0], path);
    if (isAlias(node)) {
      this.#report.error("alias_not_allowed", ALIAS_MESSAGE, place, ALIAS_HINT);
      return { kind: "scalar", value: null, place };
    }
    if (node.anchor !== undefined)
      this.#report.error("alias_not_allowed", ALIAS_MESSAGE, place, ALIAS_HINT);
    if (isScalar(node)) {
      this.#checkNumber(node.value, node.source, place);
      const comment = this.#next("#", node);
      if (comment !== undefined && isCut(node))
        return this.#unreadable(CUT_BY_COMMENT, comment, place);
      return this.#scalar(node.value, node.range, place);
    }
    if (depth > MAX_NESTING) {
      reportNesting(place, this.#report);
      return { kind: "scalar", value: null, place };
    }
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.read(item, `${path}/${index}`, depth + 1));
      return { kind: "list", items, place };
    }
    if (this.#source.startsWith("{{", node.range[0])) return this.#braces(node.range, place);
    // `- ${a ? b : c}` is a map with the key `${a ? b`.
    const [only, ...more] = isMap(node) ? node.items : [];
    if (only !== undefined && more.length === 0 && isCut(only.key))
      return this.#unreadable(CUT_BY_COLON, this.#next(":", only.key) ?? only.key.range[1], place);
    return this.#map(node, place, path, depth);
  }

  /** `{{ name }}` without quotes is a map whose key is a map. */
  #braces([start = 0, end = 0]: readonly number[], place: Place): ScalarNode {
    const text = this.#source.slice(start, Math.min(end, start + 200));
    const meant = meantByBraces(text);
    this.#report.error(
      "other_language",
      `${quoted(text)} is not how templates refer to a value.`,
      place,
      meant === undefined ? 'Write `"${name}"`.' : `Write \`${meant}\`.`,
    );
    return { kind: "scalar", value: null, place };
  }

  /** The offset of this character, if only blanks are between it and the node. */
  #next(character: string, { range }: ParsedNode): number | undefined {
    const [, end] = range;
    const offset = end + (/^[ \t]*/.exec(this.#source.slice(end, end + 200))?.[0].length ?? 0);
    return this.#source[offset] === character ? offset : undefined;
  }

  #unreadable(message: string, offset: number, place: Place): ScalarNode {
    const at = this.#at(offset, place.path);
    if (!this.#broken.has(at.line)) this.#report.error("yaml_syntax", message, at, QUOTE);
    return { kind: "scalar", value: null, place, isUnreadable: true };
  }

  #map(node: ParsedNode, place: Place, path: string, depth: number): MapNode {
    const entries: MapEntry[] = [];
    const seen = new Set<string>();
    for (const pair of isMap(node) ? node.items : []) {
      const keyNode = pair.key;
      const start = this.#at(keyNode.range[0], path);
      const key = this.#key(keyNode, start);
      if (key === undefined) continue;
      const keyPlace = { ...start, path: `${path}/${escapePointer(key)}` };
      const valueNode = pair.value;
      const value: DocumentNode =
        valueNode === null
          ? { kind: "scalar", value: null, place: keyPlace }
          : this.read(valueNode, keyPlace.path, depth + 1);
      if (seen.has(key)) {
        this.#report.error(
          "duplicate_key",
          `The key ${quoted(key)} occurs twice in the same map.`,
          keyPlace,
          "Remove or rename one of the two.",
        );
        continue;
      }
      seen.add(key);
      entries.push({ key, keyPlace, value });
    }
    return { kind: "map", entries, place };
  }

  #key(node: ParsedNode, place: Place): string | undefined {
    if (isAlias(node)) {
      this.#report.error("alias_not_allowed", ALIAS_MESSAGE, place, ALIAS_HINT);
      return undefined;
    }
    if (isScalar(node)) {
      if (node.anchor !== undefined)
        this.#report.error("alias_not_allowed", ALIAS_MESSAGE, place, ALIAS_HINT);
      if (node.value === "<<" && node.type === "PLAIN") {
        reportMerge(place, this.#report);
        return undefined;
      }
      if (typeof node.value === "string") return node.value;
      // A number or boolean key keeps its source text: `1.0` stays `1.0`.
      if (typeof node.value === "number" || typeof node.value === "boolean")
        return node.source ?? String(node.value);
    }
    this.#report.error(
      "invalid_key",
      "A key must be a string, not a list, a map or null.",
      place,
      "Quote the key.",
    );
    return undefined;
  }

  /** An unquoted version such as 16.10, or id such as 012, is a number whose text may differ. */
  #checkNumber(value: unknown, source: string | undefined, place: Place): void {
    if (typeof value !== "number" || !Number.isFinite(value)) return;
    if (source === undefined || source === String(value)) return;
    if (!DECIMAL.test(source) || (OTHER_BASE.test(source) && Number.isSafeInteger(value))) return;
    this.#report.warning(
      "number_changed",
      `${source.slice(0, 80)} is read as the number ${value}.`,
      place,
      "Quote it if it is a string, such as a version or an id.",
    );
  }

  #placeAt(value: string, start: number): PlaceAt {
    let offsets: Uint32Array | undefined;
    return (offset) => {
      offsets ??= scalarOffsets(value, this.#source, start);
      return this.#at(offsets[Math.min(offset, value.length)] ?? start, "");
    };
  }

  #scalar(value: unknown, range: readonly number[], place: Place): ScalarNode {
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.#report.error(
        "number_not_finite",
        "JSON has no infinity or NaN.",
        place,
        "Write a finite number or a quoted string.",
      );
      return { kind: "scalar", value: null, place };
    }
    if (typeof value === "string")
      return value.includes("${")
        ? { kind: "scalar", value, place, placeAt: this.#placeAt(value, range[0] ?? 0) }
        : { kind: "scalar", value, place };
    if (typeof value === "number" || typeof value === "boolean" || value === null)
      return { kind: "scalar", value, place };
    return { kind: "scalar", value: null, place };
  }
}
