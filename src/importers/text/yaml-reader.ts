import { isAlias, isMap, isScalar, isSeq, type Document, type ParsedNode } from "yaml";
import type { ImportLog } from "#importers/import-log.ts";
import type { YamlVersion } from "./compose-yaml.ts";
import { exactNumber, MAP_COST, MAX_DATA_VALUES, valuesInText } from "./data-limits.ts";
import type { DataNode, DataScalar } from "./data-node.ts";
import { warnOfDuplicate } from "./duplicate-key.ts";
import { placeAt } from "./text-lines.ts";

type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

/** Converts the library's nodes of one file. Past {@link MAX_DATA_VALUES} it stops converting but goes on counting. */
export class YamlReader {
  readonly #lineStarts: readonly number[];
  readonly #path: string;
  readonly #log: ImportLog;
  readonly #version: YamlVersion;
  count = 0;

  constructor(lineStarts: readonly number[], path: string, log: ImportLog, version: YamlVersion) {
    this.#lineStarts = lineStarts;
    this.#path = path;
    this.#log = log;
    this.#version = version;
  }

  /** The value of a document; undefined for an empty one, such as comments between two `---`. */
  read({ contents }: Document.Parsed): DataNode | undefined {
    if (contents === null) return undefined;
    if (isScalar(contents) && contents.value === null && contents.source === "") return undefined;
    return this.#node(contents);
  }

  #node(node: ParsedNode): DataNode {
    this.count += costOf(node);
    const placed = this.#placed(node.range, node.tag);
    if (isAlias(node)) return { kind: "alias", name: node.source, ...placed };
    if (isScalar(node)) {
      const value = scalarOf(node.value, node.source, this.#version);
      if (losesZero(value, node.source)) this.#warnOfZero(node.source ?? "", placed.line);
      const written = typeof value === "boolean" ? node.source : undefined;
      const isOther = written !== undefined && !/^(?:true|false)$/i.test(written);
      return { kind: "scalar", value, ...(isOther ? { written } : {}), ...placed };
    }
    if (isSeq(node)) {
      const items: DataNode[] = [];
      for (const item of node.items) {
        if (this.count > MAX_DATA_VALUES) break;
        items.push(this.#node(item));
      }
      return { kind: "list", items, ...placed };
    }
    return { kind: "map", members: this.#members(node), ...placed };
  }

  #warnOfZero(source: string, line: number): void {
    const message = `\`${source.slice(0, 50)}\` is read as a number, which has no last zero: quote it if it is a version.`;
    this.#log.add("warning", "number_loses_zero", message, { file: this.#path, line });
  }

  #members(node: ParsedNode): Map<string, DataNode> {
    const members = new Map<string, DataNode>();
    for (const { key: keyNode, value } of isMap(node) ? node.items : []) {
      if (this.count > MAX_DATA_VALUES) break;
      const { line } = this.#placed(keyNode.range);
      const key = nameOf(keyNode);
      if (key === undefined) {
        const message =
          "A key that is not a plain value is not supported: its member was left out.";
        this.#log.add("warning", "unsupported_key", message, { file: this.#path, line });
        continue;
      }
      if (members.has(key)) warnOfDuplicate(key, this.#path, line, this.#log);
      const member = value === null ? this.#nothing(keyNode.range) : this.#node(value);
      if (member.line !== line) member.nameLine = line;
      members.set(key, member);
    }
    return members;
  }

  #nothing(range: Range): DataScalar {
    this.count += 1;
    return { kind: "scalar", value: null, ...this.#placed(range) };
  }

  #placed([start, end]: Range, tag?: string): { line: number; endLine: number; tag?: string } {
    const { line } = placeAt(this.#lineStarts, start);
    // A block ends where the next line starts.
    const endLine = end > start ? placeAt(this.#lineStarts, end - 1).line : line;
    return tag === undefined || isCoreTag(tag) ? { line, endLine } : { line, endLine, tag };
  }
}

function costOf(node: ParsedNode): number {
  if (isScalar(node) && typeof node.value === "string") return valuesInText(node.value);
  return isMap(node) ? MAP_COST : 1;
}

const coreTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((name) => `tag:yaml.org,2002:${name}`),
);

function isCoreTag(tag: string): boolean {
  return tag === "!" || coreTags.has(tag);
}

function nameOf(node: ParsedNode): string | undefined {
  if (!isScalar(node)) return undefined;
  if (typeof node.value === "string") return node.value;
  // A key that is a number, boolean or null keeps its text: `1.0` stays `1.0`.
  return node.source ?? String(node.value);
}

/** `13.10` is the number 13.1. */
function losesZero(value: DataScalar["value"], source: string | undefined): boolean {
  return typeof value === "number" && /^[0-9]+\.[0-9]*[1-9]0$/.test(source ?? "");
}

function scalarOf(
  value: unknown,
  source: string | undefined,
  version: YamlVersion,
): DataScalar["value"] {
  if (typeof value === "number") {
    const written = source ?? String(value);
    const isOctal = version === "1.1" && /^[-+]?0[0-7_]+$/.test(written);
    return isOctal && Number.isSafeInteger(value) ? value : exactNumber(value, written);
  }
  if (typeof value === "string" || typeof value === "boolean") return value;
  return null;
}
