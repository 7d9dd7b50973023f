import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  Lexer,
  Parser,
  type SchemaOptions,
} from "yaml";
import { MAX_DATA_NESTING } from "./data-limits.ts";
import { costOf, DOCUMENT_COST, MAX_YAML_COST, type YamlBudget } from "./yaml-budget.ts";

/** A syntax error: the library's code for it and its offset. */
export interface YamlFault {
  code: string;
  offset: number;
}

export interface ComposedDocument {
  document: Document.Parsed;
  faults: readonly YamlFault[];
}

/** The reason for not reading a file to its end. */
export class YamlRefusal extends Error {
  readonly code: string;
  readonly offset: number;

  constructor(code: string, message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

/** A file with more errors is not YAML. */
const MAX_FAULTS = 100;

/**
 * The maximum number of blank tokens in a row. For each comment the library scans all blank lines before it again. Half
 * a file of empty lines before half a file of comments takes minutes.
 */
const MAX_BLANK_TOKENS = 1_000;

/**
 * The maximum number of nodes of one document. The library keeps up to a kilobyte for each until the document is read.
 */
const MAX_NODES = 100_000;

/**
 * The YAML that the format's own tools read. CloudFormation and Kubernetes read 1.1: `yes` is a boolean, `0755` octal and
 * `1_000` a number. Dates and numbers to the base of 60 (`22:30`) are texts everywhere, as those tools have them.
 */
export type YamlDialect = "cloudformation" | "kubernetes" | "1.2";

const version11: DocumentOptions & SchemaOptions = {
  version: "1.1",
  schema: "yaml-1.1",
  customTags: (tags) =>
    tags.filter(
      (tag) =>
        typeof tag === "string" || (tag.format !== "TIME" && !onlyOf11.has(tag.tag.slice(18))),
    ),
};

const dialects: Readonly<Record<YamlDialect, DocumentOptions & SchemaOptions>> = {
  cloudformation: version11,
  "1.2": { version: "1.2", schema: "core" },
  kubernetes: version11,
};

/** The names of types that only YAML 1.1 has. */
const onlyOf11: ReadonlySet<string> = new Set(["binary", "omap", "pairs", "set", "timestamp"]);

/** Yields the documents of a text, each as soon as it is complete. Throws a {@link YamlRefusal} at a limit. */
export function* composedDocuments(
  text: string,
  budget: YamlBudget,
  dialect: YamlDialect = "1.2",
): Generator<ComposedDocument, void> {
  const nul = text.indexOf("\0");
  if (nul !== -1) throw new YamlRefusal("invalid_yaml", "The file has a NUL character.", nul);
  const faults = new Faults();
  const composer = new Composer({
    ...dialects[dialect],
    merge: false,
    resolveKnownTags: false,
    prettyErrors: false,
    // The library compares all pairs of keys. The reader finds duplicates in linear time.
    uniqueKeys: false,
    logLevel: "silent",
  });
  // The library creates an Error with a stack trace for each fault, even for an unknown tag: up to 15 seconds per MiB.
  Object.assign(composer, { onError: faults.add });
  let documents = 0;
  for (const token of tokensOf(text, budget)) {
    if (token.type === "error") {
      faults.add(token, "UNEXPECTED_TOKEN");
      continue;
    }
    if (token.type === "doc-end" && documents === 0) continue;
    if (token.type === "document") {
      documents += 1;
      budget.left -= DOCUMENT_COST;
      faults.startDocument();
    } else if (token.type === "directive") faults.startDirectives();
    for (const document of composer.next(token)) yield { document, faults: faults.ofPrevious };
  }
  for (const document of composer.end()) {
    if ("range" in document && document.range !== null && document.range !== undefined)
      yield { document, faults: faults.ofCurrent };
  }
}

/** Assigns faults to documents. The library yields a document only when the next one starts. */
class Faults {
  ofPrevious: YamlFault[] = [];
  ofCurrent: YamlFault[] = [];
  #ofNext: YamlFault[] | undefined;
  #count = 0;

  startDirectives(): void {
    this.#ofNext ??= [];
  }

  startDocument(): void {
    this.ofPrevious = this.ofCurrent;
    this.ofCurrent = this.#ofNext ?? [];
    this.#ofNext = undefined;
  }

  readonly add = (at: FaultPlace, code: string, _message?: string, isWarning?: boolean): void => {
    if (isWarning === true) return;
    const offset = offsetOf(at);
    this.#count += 1;
    if (this.#count > MAX_FAULTS)
      throw new YamlRefusal(
        "invalid_yaml",
        `The file has over ${MAX_FAULTS} syntax errors.`,
        offset,
      );
    (this.#ofNext ?? this.ofCurrent).push({ code, offset });
  };
}

type FaultPlace = number | readonly number[] | { offset: number };

function offsetOf(at: FaultPlace): number {
  if (typeof at === "number") return at;
  return "offset" in at ? at.offset : (at[0] ?? 0);
}

function* tokensOf(text: string, budget: YamlBudget): Generator<CST.Token, void> {
  const parser = new Parser();
  let spent = 0;
  let blanks = 0;
  let nodes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const cost = costOf(lexeme, parser.stack.length);
    spent += cost;
    budget.left -= cost;
    if (spent > MAX_YAML_COST || budget.left < 0)
      throw new YamlRefusal(
        "parse_budget_exceeded",
        spent > MAX_YAML_COST
          ? "The file takes too long to parse: it was not read. Split it into smaller files."
          : "The YAML of this import takes too long to parse: this file was not read. Import it on its own.",
        parser.offset,
      );
    nodes = lexeme === "---" ? 0 : nodes + (isNode(lexeme) ? 1 : 0);
    if (nodes > MAX_NODES)
      throw new YamlRefusal(
        "too_many_values",
        `A document of the file has more than ${MAX_NODES} names and values: split it.`,
        parser.offset,
      );
    blanks = isBlank(lexeme) ? blanks + 1 : 0;
    if (blanks > MAX_BLANK_TOKENS)
      throw new YamlRefusal(
        "parse_budget_exceeded",
        `The file has over ${MAX_BLANK_TOKENS / 2} empty lines in a row: it was not read. Remove them.`,
        parser.offset,
      );
    yield* parser.next(lexeme);
    // Checked while lexing, because building nodes of deeper text recurses.
    if (parser.stack.length > MAX_DATA_NESTING + 2)
      throw new YamlRefusal(
        "nesting_too_deep",
        `The file nests deeper than ${MAX_DATA_NESTING} levels: it was not read.`,
        parser.offset,
      );
  }
  yield* parser.end();
}

/** The control character that the lexer writes before each plain text. */
const PLAIN_TEXT = 0x1f;

function isNode(lexeme: string): boolean {
  const first = lexeme.charCodeAt(0);
  return first === PLAIN_TEXT || "{[-\"'*".includes(lexeme.charAt(0));
}

function isBlank(lexeme: string): boolean {
  const first = lexeme.charCodeAt(0);
  return first === 0x0a || first === 0x0d || first === 0x20 || first === 0x09;
}
