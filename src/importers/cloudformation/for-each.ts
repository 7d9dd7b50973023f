/**
 * Writes out the loops of a template (`Fn::ForEach` of AWS::LanguageExtensions) over literal lists, wherever a map may
 * have them. A loop over anything else stays, and what reads the map reports it.
 */
import type { ImportLog } from "#importers/import-log.ts";
import {
  type DataMap,
  type DataNode,
  lineOf,
  memberOf,
  textIn,
} from "#importers/text/data-node.ts";
import { valuesIn } from "#importers/text/values-in.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";
import { RepeatedValues } from "./repeated-values.ts";
import { lookedUp } from "./template-names.ts";

const MAX_DEPTH = 100;
const LOOP = "Fn::ForEach::";

export function withoutLoops(root: DataNode, file: string, log: ImportLog): DataNode {
  if (!hasLoop(root)) return root;
  return new Expansion(memberOf(root, "Mappings"), file, log).expanded(root, new Map());
}

function hasLoop(root: DataNode): boolean {
  const waiting: DataNode[] = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "list") for (const item of at.items) waiting.push(item);
    if (at.kind !== "map") continue;
    for (const [name, member] of at.members) {
      if (name.startsWith(LOOP)) return true;
      waiting.push(member);
    }
  }
  return false;
}

/** The values of the names of the loops around a place. */
type Names = ReadonlyMap<string, string>;

class Expansion {
  readonly #mappings: DataNode | undefined;
  readonly #file: string;
  readonly #log: ImportLog;
  readonly #repeated: RepeatedValues;
  /** The values and texts of one turn of each loop. */
  readonly #weights = new Map<DataMap, { values: number; characters: number }>();
  #isFull = false;

  constructor(mappings: DataNode | undefined, file: string, log: ImportLog) {
    this.#mappings = mappings;
    this.#file = file;
    this.#log = log;
    this.#repeated = new RepeatedValues(log);
  }

  expanded(node: DataNode, names: Names, depth = 0): DataNode {
    if (depth > MAX_DEPTH) return node;
    switch (node.kind) {
      case "alias":
        return node;
      case "scalar": {
        if (typeof node.value !== "string" || names.size === 0) return node;
        const isRef = node.tag === "!Ref" && names.has(node.value);
        const value = isRef ? (names.get(node.value) ?? "") : this.#substituted(node.value, names);
        return { ...node, value, tag: isRef ? undefined : node.tag };
      }
      case "list":
        return { ...node, items: node.items.map((item) => this.expanded(item, names, depth + 1)) };
      case "map": {
        const named = node.members.size === 1 ? textIn(memberOf(node, "Ref")) : undefined;
        const value = named === undefined ? undefined : names.get(named);
        if (value !== undefined)
          return { kind: "scalar", value, line: node.line, endLine: node.endLine };
        return { ...node, members: this.#members(node, names, depth) };
      }
    }
  }

  #members(node: DataMap, names: Names, depth: number): Map<string, DataNode> {
    const members = new Map<string, DataNode>();
    for (const [name, member] of node.members) {
      const loop = name.startsWith(LOOP) ? this.#loop(member, names) : undefined;
      if (loop === undefined) {
        members.set(this.#substituted(name, names), this.expanded(member, names, depth + 1));
        continue;
      }
      const { variable, values, body } = loop;
      for (const value of values) {
        if (!this.#mayTurn(body, lineOf(member))) break;
        const own = new Map([...names, [variable, value]]);
        for (const [key, made] of this.#members(body, own, depth + 1)) members.set(key, made);
      }
    }
    return members;
  }

  /** Whether the import has room for one more turn. */
  #mayTurn(body: DataMap, line: number): boolean {
    if (this.#isFull) return false;
    const weight = this.#weights.get(body) ?? weightOf(body);
    this.#weights.set(body, weight);
    const { values, characters } = weight;
    if (this.#repeated.take(values) && this.#repeated.takeText(characters)) return true;
    this.#isFull = true;
    this.#log.add("warning", "too_many_values", tooMany, { file: this.#file, line });
    return false;
  }

  /** Undefined: the loop is not over literals. */
  #loop(
    node: DataNode,
    names: Names,
  ): { variable: string; values: readonly string[]; body: DataMap } | undefined {
    const [identifier, collection, body] = argumentsIn(node);
    const variable = textIn(identifier);
    const values = collection === undefined ? undefined : this.#values(collection, names);
    if (variable === undefined || values === undefined || body?.kind !== "map") return undefined;
    return { variable, values, body };
  }

  /** `${Letter}` and `&{Letter}`, which also drops characters that a logical id cannot have. */
  #substituted(text: string, names: Names): string {
    if (names.size === 0) return text;
    return text.replaceAll(/([$&])\{([A-Za-z0-9]+)\}/g, (whole, sign: string, name: string) => {
      const value = names.get(name);
      if (value === undefined) return whole;
      if (this.#isFull || !this.#repeated.takeText(value.length)) return whole;
      return sign === "&" ? value.replaceAll(/[^A-Za-z0-9]/g, "") : value;
    });
  }

  /**
   * The texts of a list, whose items may be names of outer loops, or of a list that literals find in a mapping. A
   * parameter's default can be another in each stack.
   */
  #values(given: DataNode, names: Names): string[] | undefined {
    const collection = intrinsicOf(given) === undefined ? given : this.#found(given, names);
    if (collection?.kind !== "list" || intrinsicOf(collection) !== undefined) return undefined;
    const values = collection.items.map((item) => {
      const made = this.expanded(item, names);
      return made.kind === "scalar" && made.tag === undefined ? String(made.value) : undefined;
    });
    return values.every((value) => value !== undefined)
      ? values.filter((value) => value !== undefined)
      : undefined;
  }

  #found(collection: DataNode, names: Names): DataNode | undefined {
    const intrinsic = intrinsicOf(this.expanded(collection, names));
    if (intrinsic?.name !== "Fn::FindInMap") return undefined;
    const args = argumentsIn(intrinsic.argument);
    const found = lookedUp(args, this.#mappings);
    return found === "missing" ? memberOf(args[3], "DefaultValue") : found?.node;
  }
}

const tooMany =
  "The loops of the template make more than an import writes out: the rest was left out.";

function weightOf(body: DataMap): { values: number; characters: number } {
  let characters = 0;
  const waiting: DataNode[] = [body];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "scalar" && typeof at.value === "string") characters += at.value.length;
    if (at.kind === "list") for (const item of at.items) waiting.push(item);
    if (at.kind !== "map") continue;
    for (const [name, member] of at.members) {
      characters += name.length;
      waiting.push(member);
    }
  }
  return { values: valuesIn(body), characters };
}
