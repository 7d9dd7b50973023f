import { visit } from "jsonc-parser";
import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { exceedsNesting } from "#platform/json-nesting.ts";
import {
  exactNumber,
  MAX_DATA_NESTING,
  MAX_DATA_VALUES,
  withoutByteOrderMark,
} from "./data-limits.ts";
import type { DataNode } from "./data-node.ts";
import { warnOfDuplicate } from "./duplicate-key.ts";
import { lineStartsOf, placeAt } from "./text-lines.ts";
import { spendValues } from "./value-budget.ts";
import { costOfNode } from "./values-in.ts";

/** The value of a JSON file, with lines. Undefined if it cannot be read; an error in the log has the reason. */
export function loadJson(file: ImportFile, log: ImportLog): DataNode | undefined {
  const read = loadPassingJson(file, log);
  return read && spendValues(2 * read.count, file, log) ? read.root : undefined;
}

/**
 * Loads a file whose content is mostly dropped, so the import's budget is not charged. `count`: the number of its
 * values.
 */
export function loadPassingJson(
  file: ImportFile,
  log: ImportLog,
): { root: DataNode; count: number } | undefined {
  const { path } = file;
  const text = withoutByteOrderMark(file.text);
  if (exceedsNesting(text, MAX_DATA_NESTING)) {
    const message = `The file nests deeper than ${MAX_DATA_NESTING} levels: it was not read.`;
    log.add("error", "nesting_too_deep", message, { file: path });
    return undefined;
  }
  // Only valid text may reach the library. It recurses, and comments would hide brackets from the check above.
  const fault = jsonFault(text);
  if (fault !== undefined) {
    const message = "The file is not valid JSON: correct it and import it again.";
    log.add("error", "invalid_json", message, { file: path, ...fault });
    return undefined;
  }
  const reader = new JsonReader(text, path, log);
  reader.read();
  if (reader.count > MAX_DATA_VALUES) {
    const message = `The file has more than ${MAX_DATA_VALUES} values: split it.`;
    log.add("error", "too_many_values", message, { file: path });
    return undefined;
  }
  const { root, count } = reader;
  return root && { root, count };
}

/** The position of a syntax error, if the engine's message contains one. The message itself quotes the text. */
function jsonFault(text: string): { line?: number; column?: number } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
    if (position !== undefined) return placeAt(lineStartsOf(text), Number(position));
    return message === "Unexpected end of JSON input"
      ? placeAt(lineStartsOf(text), text.length)
      : {};
  }
}

interface OpenMap {
  node: { kind: "map"; members: Map<string, DataNode>; line: number; endLine: number };
  key: string;
  keyLine: number;
}
interface OpenList {
  node: { kind: "list"; items: DataNode[]; line: number; endLine: number };
}

class JsonReader {
  readonly #text: string;
  readonly #path: string;
  readonly #log: ImportLog;
  readonly #open: (OpenMap | OpenList)[] = [];
  root: DataNode | undefined;
  count = 0;

  constructor(text: string, path: string, log: ImportLog) {
    this.#text = text;
    this.#path = path;
    this.#log = log;
  }

  read(): void {
    visit(this.#text, {
      onObjectBegin: (_offset, _length, line) => this.#begin(line + 1, true),
      onObjectProperty: (name, _offset, _length, line) => this.#name(name, line + 1),
      onObjectEnd: (_offset, _length, line) => this.#end(line + 1),
      onArrayBegin: (_offset, _length, line) => this.#begin(line + 1, false),
      onArrayEnd: (_offset, _length, line) => this.#end(line + 1),
      onLiteralValue: (value: unknown, offset, length, line) =>
        this.#scalar(value, offset, length, line + 1),
    });
  }

  #begin(line: number, isMap: boolean): void {
    const opened: OpenMap | OpenList = isMap
      ? { node: { kind: "map", members: new Map(), line, endLine: line }, key: "", keyLine: line }
      : { node: { kind: "list", items: [], line, endLine: line } };
    this.#add(opened.node);
    this.#open.push(opened);
  }

  #end(line: number): void {
    const closed = this.#open.pop();
    if (closed !== undefined) closed.node.endLine = line;
  }

  #name(name: string, line: number): void {
    const open = this.#open.at(-1);
    if (open?.node.kind !== "map" || !("key" in open)) return;
    open.key = name;
    open.keyLine = line;
    if (open.node.members.has(name)) warnOfDuplicate(name, this.#path, line, this.#log);
  }

  #scalar(value: unknown, offset: number, length: number, line: number): void {
    const exact =
      typeof value === "number"
        ? exactNumber(value, this.#text.slice(offset, offset + length))
        : value;
    if (
      typeof exact === "string" ||
      typeof exact === "number" ||
      typeof exact === "boolean" ||
      exact === null
    )
      this.#add({ kind: "scalar", value: exact, line, endLine: line });
  }

  #add(node: DataNode): void {
    this.count += costOfNode(node);
    if (this.count > MAX_DATA_VALUES) return;
    const open = this.#open.at(-1);
    if (open === undefined) this.root = node;
    else if ("key" in open) {
      if (open.keyLine !== node.line) node.nameLine = open.keyLine;
      open.node.members.set(open.key, node);
    } else open.node.items.push(node);
  }
}
