import type { Expression } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { keyOf, readableName } from "./arm-names.ts";
import { type ArmResources, joinedNames } from "./arm-resource-index.ts";
import type { ArmValues, CopyIndexes } from "./arm-values.ts";

/** A resource of a template before its settings are read. Each written-out copy of a loop is one. */
export interface ArmDeclaration {
  address: string;
  /** The full type without the version. */
  type: string;
  /** The full name: `parent/child`. */
  name: Expression;
  node: DataNode;
  copy: CopyIndexes;
  repeated: boolean;
  /** The address of the surrounding resource. */
  parent: string | undefined;
}

export interface ArmDeclarations {
  all: ArmDeclaration[];
  /** The addresses of the copies, by the name of their loop in lower case. */
  loops: ReadonlyMap<string, string[]>;
}

/** The maximum number of written-out copies of one resource. */
const MAX_COPIES = 50;
/** The maximum length of a type with its parents, in characters: each child repeats it. */
const MAX_TYPE = 1_000;
/** The maximum number of values in all copies of a template. */
const MAX_COPIED_VALUES = 50_000;

/** Finds the resources of a template, also nested ones, and adds them to `index`. */
export function declarationsOf(
  section: DataNode | undefined,
  values: ArmValues,
  index: ArmResources,
  file: string,
  log: ImportLog,
): ArmDeclarations {
  const finder = new Finder(values, index, file, log);
  finder.find(section, undefined, new Map());
  return { all: finder.all, loops: finder.loops };
}

class Finder {
  readonly all: ArmDeclaration[] = [];
  readonly loops = new Map<string, string[]>();
  readonly #values: ArmValues;
  readonly #index: ArmResources;
  readonly #file: string;
  readonly #log: ImportLog;
  readonly #taken = new Map<string, number>();
  #copied = 0;

  constructor(values: ArmValues, index: ArmResources, file: string, log: ImportLog) {
    this.#values = values;
    this.#index = index;
    this.#file = file;
    this.#log = log;
  }

  /** Finds the resources of a list, or of a map by symbolic names. */
  find(section: DataNode | undefined, parent: ArmDeclaration | undefined, copy: CopyIndexes): void {
    if (section?.kind === "list")
      for (const node of section.items) this.#resource(node, undefined, parent, copy);
    if (section?.kind === "map")
      for (const [name, node] of section.members) this.#resource(node, name, parent, copy);
  }

  #resource(
    node: DataNode,
    symbolic: string | undefined,
    parent: ArmDeclaration | undefined,
    copy: CopyIndexes,
  ): void {
    const place = { file: this.#file, line: lineOf(node) };
    const type = textIn(memberOf(node, "type"));
    const name = memberOf(node, "name");
    const isNamed = name !== undefined || symbolic !== undefined;
    const length = (type?.length ?? 0) + (parent?.type.length ?? 0);
    if (type === undefined || !isNamed || length > MAX_TYPE) {
      const message = "The resource has no type or no name: it was left out.";
      this.#log.add("warning", "invalid_resource", message, place);
      return;
    }
    const loop = memberOf(node, "copy");
    const loopName = textIn(memberOf(loop, "name"))?.toLowerCase();
    const count =
      loop === undefined ? undefined : this.#countOf(memberOf(loop, "count"), node, copy);
    if (count === undefined) {
      const isLoop = loop !== undefined;
      const made = this.#declare({
        node,
        symbolic,
        type,
        name,
        parent,
        copy,
        isLoop,
        at: undefined,
      });
      if (made !== undefined && loopName !== undefined) this.loops.set(loopName, [made]);
      return;
    }
    const addresses: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const indexes = new Map([...copy, ["", at], [loopName ?? "", at]] as const);
      const given = { node, symbolic, type, name, parent, copy: indexes, isLoop: false, at };
      const made = this.#declare(given);
      if (made !== undefined) addresses.push(made);
    }
    if (loopName !== undefined) this.loops.set(loopName, addresses);
  }

  /** The number of copies to write out; undefined: the loop stays one resource. */
  #countOf(node: DataNode | undefined, of: DataNode, copy: CopyIndexes): number | undefined {
    const read = node === undefined ? undefined : this.#values.read(node, copy);
    const count = read?.kind === "literal" ? read.value : undefined;
    if (typeof count !== "number" || !Number.isInteger(count) || count < 0 || count > MAX_COPIES)
      return undefined;
    const values = valuesIn(of, MAX_COPIED_VALUES) * count;
    if (this.#copied + values > MAX_COPIED_VALUES) return undefined;
    this.#copied += values;
    return count;
  }

  #declare(given: Given): string | undefined {
    const { node, symbolic, parent, copy, isLoop, at } = given;
    const condition = memberOf(node, "condition");
    const holds = condition === undefined ? undefined : this.#values.read(condition, copy);
    if (holds?.kind === "literal" && holds.value === false) {
      const message = "The condition of the resource is never true: it was left out.";
      const line = lineOf(node);
      this.#log.add("info", "condition_false", message, { file: this.#file, line });
      return undefined;
    }
    const isSure = holds === undefined || (holds.kind === "literal" && holds.value === true);
    const { type, name } = this.#fullName(given);
    const wanted = symbolic ?? `${type.slice(type.lastIndexOf("/") + 1)}/${readableName(name)}`;
    const address = this.#unique(at === undefined ? wanted : `${wanted}[${at}]`);
    const repeated = isLoop || !isSure || parent?.repeated === true;
    const made = { address, type, name, node, copy, repeated, parent: parent?.address };
    this.all.push(made);
    this.#index.add(address, at === undefined ? symbolic : undefined, type, name);
    this.find(memberOf(node, "resources"), made, copy);
    return address;
  }

  /** The full type and name. A type without a namespace, and its name, continue those of the parent. */
  #fullName({ type, name, symbolic, parent, copy }: Given): { type: string; name: Expression } {
    const own: Expression =
      name === undefined
        ? { kind: "literal", value: symbolic ?? "" }
        : this.#values.read(name, copy);
    const isWhole = (type.split("/", 1)[0] ?? "").includes(".");
    if (parent === undefined || isWhole) return { type, name: own };
    const inner = `${parent.type}/${type}`;
    // Each child repeats the name of its parent.
    if (keyOf(parent.name) === undefined) return { type: inner, name: own };
    return { type: inner, name: joinedNames([parent.name, own]) };
  }

  #unique(wanted: string): string {
    let count = (this.#taken.get(wanted) ?? 0) + 1;
    let address = count === 1 ? wanted : `${wanted}#${count}`;
    while (this.#taken.has(address)) {
      count += 1;
      address = `${wanted}#${count}`;
    }
    this.#taken.set(wanted, count);
    if (address !== wanted) this.#taken.set(address, 1);
    return address;
  }
}

interface Given {
  node: DataNode;
  symbolic: string | undefined;
  type: string;
  name: DataNode | undefined;
  parent: ArmDeclaration | undefined;
  copy: CopyIndexes;
  isLoop: boolean;
  at: number | undefined;
}

/** The number of values in a value, counted up to the limit. */
function valuesIn(node: DataNode, limit: number): number {
  const waiting: Iterable<DataNode>[] = [[node]];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const at of next) {
      count += 1;
      if (at.kind === "scalar") count += String(at.value).length >> 8;
      else if (at.kind === "list") waiting.push(at.items);
      else if (at.kind === "map") waiting.push(at.members.values());
      if (count > limit) return count;
    }
  return count;
}
