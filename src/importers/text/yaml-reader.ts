import { isAlias, isMap, isScalar, isSeq, type Document, type ParsedNode } from "yaml";
import type { ImportLog } from "#importers/import-log.ts";
import type { YamlDialect } from "./compose-yaml.ts";
import { exactNumber, MAP_COST, MAX_DATA_VALUES, valuesInText } from "./data-limits.ts";
import type { DataNode, DataScalar } from "./data-node.ts";
import { warnOfDuplicate } from "./duplicate-key.ts";
import { placeAt } from "./text-lines.ts";
import { YamlAnchors } from "./yaml-anchors.ts";
import { keyOfKubernetes, scalarOfKubernetes } from "./yaml-of-kubernetes.ts";

type Range = readonly [start: number, valueEnd: number, nodeEnd: number];

const MERGE = "<<";

/**
 * Converts the library's nodes of one file. An alias is its anchor's value, and the members of a merge key belong to the
 * map around it. Past {@link MAX_DATA_VALUES} it stops converting but goes on counting.
 */
export class YamlReader {
  readonly #lineStarts: readonly number[];
  readonly #path: string;
  readonly #log: ImportLog;
  readonly #dialect: YamlDialect;
  readonly #anchors = new YamlAnchors();
  #isTold = false;
  count = 0;

  constructor(lineStarts: readonly number[], path: string, log: ImportLog, dialect: YamlDialect) {
    this.#lineStarts = lineStarts;
    this.#path = path;
    this.#log = log;
    this.#dialect = dialect;
  }

  /** The line of the first alias that was resolved; undefined for none. */
  get aliased(): number | undefined {
    return this.#anchors.firstLine;
  }

  /** The value of a document; undefined for an empty one, such as comments between two `---`. */
  read({ contents }: Document.Parsed): DataNode | undefined {
    this.#anchors.startDocument();
    if (contents === null) return undefined;
    if (isScalar(contents) && contents.value === null && contents.source === "") return undefined;
    return this.#node(contents, 1);
  }

  #node(node: ParsedNode, depth: number): DataNode {
    if (isAlias(node)) return this.#aliased(node.source, node.range, depth);
    const { anchor } = node;
    if (anchor === undefined) return this.#written(node, depth);
    return this.#anchors.keep(anchor, depth, this, () => this.#written(node, depth));
  }

  #aliased(name: string, range: Range, depth: number): DataNode {
    const placed = this.#placed(range);
    const found = this.#anchors.take(name, depth, placed.line);
    if ("node" in found) {
      this.count += found.values;
      return { ...found.node, nameLine: undefined };
    }
    this.count += 1;
    this.#warnOfAlias(found.lacks, placed.line);
    return { kind: "alias", name, ...placed };
  }

  #written(node: Exclude<ParsedNode, { type: "ALIAS" }>, depth: number): DataNode {
    this.count += costOf(node);
    const placed = this.#placed(node.range, node.tag);
    if (isScalar(node)) {
      const { value: given, source } = node;
      const isPlain = node.type === "PLAIN";
      const value =
        this.#dialect === "kubernetes"
          ? scalarOfKubernetes(given, { source, isPlain, tag: node.tag })
          : scalarOf(given, source, this.#dialect);
      this.#anchors.count(typeof value === "string" ? value.length : 0, depth);
      if (losesZero(value, source)) this.#warnOfZero(placed.line);
      const written = typeof value === "boolean" ? source : undefined;
      const isOther = written !== undefined && !/^(?:true|false)$/i.test(written);
      return { kind: "scalar", value, ...(isOther ? { written } : {}), ...placed };
    }
    this.#anchors.count(0, depth);
    if (isSeq(node)) {
      const items: DataNode[] = [];
      for (const item of node.items) {
        if (this.count > MAX_DATA_VALUES) break;
        items.push(this.#node(item, depth + 1));
      }
      return { kind: "list", items, ...placed };
    }
    return { kind: "map", members: this.#members(node, depth + 1), ...placed };
  }

  #warnOfAlias(lacks: "anchor" | "room", line: number): void {
    if (lacks === "room" && this.#isTold) return;
    this.#isTold ||= lacks === "room";
    const message =
      lacks === "anchor"
        ? "No anchor before this alias has its name: the value was not read."
        : "The aliases of the file repeat too many values: this one and others were not read.";
    const code = lacks === "anchor" ? "alias_without_anchor" : "too_many_aliases";
    this.#log.add("warning", code, message, { file: this.#path, line });
  }

  #warnOfZero(line: number): void {
    const message = "A number loses its last zero here: quote it if it is a version.";
    this.#log.add("warning", "number_loses_zero", message, { file: this.#path, line });
  }

  #members(node: ParsedNode, depth: number): Map<string, DataNode> {
    const members = new Map<string, DataNode>();
    const own = new Set<string>();
    for (const { key: keyNode, value } of isMap(node) ? node.items : []) {
      if (this.count > MAX_DATA_VALUES) break;
      const { line } = this.#placed(keyNode.range);
      if (isMergeKey(keyNode) && value !== null) {
        this.#merge(this.#node(value, depth), members, line);
        continue;
      }
      const key = this.#nameOf(keyNode, depth);
      if (key === undefined) {
        const message =
          "A key that is not a plain value is not supported: its member was left out.";
        this.#log.add("warning", "unsupported_key", message, { file: this.#path, line });
        continue;
      }
      if (own.has(key)) warnOfDuplicate(key, this.#path, line, this.#log);
      own.add(key);
      const member = value === null ? this.#nothing(keyNode.range) : this.#node(value, depth);
      if (member.line !== line) member.nameLine = line;
      members.set(key, member);
    }
    return members;
  }

  /** Adds the members of a merged map, or of a list of them, where the map has none of their names. */
  #merge(merged: DataNode, members: Map<string, DataNode>, line: number): void {
    const maps = merged.kind === "list" ? merged.items : [merged];
    for (const map of maps) {
      if (map.kind === "map") {
        for (const [name, member] of map.members) if (!members.has(name)) members.set(name, member);
      } else if (map.kind !== "alias") {
        const message = "Only a map, or a list of maps, can be merged: the value was not read.";
        this.#log.add("warning", "merge_not_read", message, { file: this.#path, line });
      }
    }
  }

  #nameOf(node: ParsedNode, depth: number): string | undefined {
    if (isAlias(node)) {
      const found = this.#anchors.take(node.source, depth, this.#placed(node.range).line);
      const known = "node" in found ? found.node : undefined;
      return known?.kind === "scalar" && known.value !== null
        ? (known.written ?? String(known.value))
        : undefined;
    }
    if (!isScalar(node)) return undefined;
    if (node.anchor !== undefined) this.#node(node, depth);
    if (typeof node.value === "string") return node.value;
    if (this.#dialect === "kubernetes") return keyOfKubernetes(node.value, node.source);
    // A key that is a number, boolean or null keeps its text: `1.0` stays `1.0`.
    return node.source ?? String(node.value);
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

/** Whether a key merges a map. A quoted `<<` is a name. */
function isMergeKey(node: ParsedNode): boolean {
  if (!isScalar(node)) return false;
  return node.tag === "tag:yaml.org,2002:merge" || (node.type === "PLAIN" && node.source === MERGE);
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

/** `13.10` is the number 13.1. */
function losesZero(value: DataScalar["value"], source: string | undefined): boolean {
  return typeof value === "number" && /^[0-9]+\.[0-9]*[1-9]0$/.test(source ?? "");
}

function scalarOf(
  value: unknown,
  source: string | undefined,
  dialect: YamlDialect,
): DataScalar["value"] {
  if (typeof value === "number") {
    const written = source ?? String(value);
    // CloudFormation passes `8.0` on as that text, as the version of an engine.
    if (dialect === "cloudformation" && /^[0-9]{1,9}\.0+$/.test(written)) return value.toFixed(1);
    const isOctal = dialect === "cloudformation" && /^[-+]?0[0-7_]+$/.test(written);
    return isOctal && Number.isSafeInteger(value) ? value : exactNumber(value, written);
  }
  // The readers of CloudFormation know `yes`, but not `y`.
  if (typeof value === "boolean" && dialect === "cloudformation" && /^[yn]$/i.test(source ?? ""))
    return source ?? "";
  if (typeof value === "string" || typeof value === "boolean") return value;
  return null;
}
