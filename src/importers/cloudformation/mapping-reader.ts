/** Reads the mappings of a template, and values that `Fn::FindInMap` finds in them. */
import { type Expression, literal, type Member } from "#importers/expression.ts";
import { withoutSecretArguments } from "#importers/hidden-values.ts";
import type { SourceLocal } from "#importers/source-module.ts";
import {
  type DataNode,
  lineOf,
  memberOf,
  membersOf,
  nameIn,
  oneOrMany,
} from "#importers/text/data-node.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";
import { noValue } from "./no-value.ts";
import { scalarOf } from "./scalar-of.ts";
import { literalText, lookedUp, type TemplateNames } from "./template-names.ts";

const MAX_FOUND_TEXT = 1_024;
const MAX_FOUND_ITEMS = 50;
/** A smaller value may be found at any place. */
const SMALL_VALUE = 4;
/** The memory of a member that refers to something, in values. */
const VALUES_OF_MEMBER = 2;

interface Found {
  value: Expression | undefined;
}

export class MappingReader {
  readonly #names: TemplateNames;
  readonly #read: (node: DataNode, name?: string) => Expression | undefined;
  /** The values that were found before. */
  readonly #found = new Map<DataNode, Expression>();

  /** `read`: reads a value of the template, under the name of its setting. */
  constructor(
    names: TemplateNames,
    read: (node: DataNode, name?: string) => Expression | undefined,
  ) {
    this.#names = names;
    this.#read = read;
  }

  /** A name that is written out, or that a mapping tells. */
  nameIn(node: DataNode): string | undefined {
    return literalText(node, this.#names.mappings);
  }

  #readOrNull(node: DataNode, name = ""): Expression {
    return this.#read(node, name) ?? literal(null);
  }

  /** The value that `Fn::FindInMap` finds, which may be `AWS::NoValue`; undefined: it has no form as an expression. */
  lookUp(args: readonly DataNode[], line: number): Found | undefined {
    const found = lookedUp(args, this.#names.mappings);
    if (found === "missing") {
      const otherwise = memberOf(args[3], "DefaultValue");
      if (otherwise !== undefined) return { value: this.#read(otherwise) };
    }
    if (found === undefined || found === "missing") {
      const open = this.#openLookup(args, line);
      return open && { value: open };
    }
    const { node, key } = found;
    const value = this.#found.get(node) ?? this.#valueIn(node, key);
    if (value === undefined) return undefined;
    this.#found.set(node, value);
    const size = sizeOf(value, MAX_FOUND_ITEMS * MAX_FOUND_TEXT);
    return size < SMALL_VALUE || this.#names.repeated.take(size) ? { value } : undefined;
  }

  /** A value of a mapping, which every line of the file may look up. Undefined for a large or computed one. */
  #valueIn(node: DataNode, key: string): Expression | undefined {
    const values = oneOrMany(node);
    const isLiteral = intrinsicOf(node) === undefined;
    const isSmall =
      values.length <= MAX_FOUND_ITEMS &&
      values.every(
        (value) => value.kind === "scalar" && String(value.value).length <= MAX_FOUND_TEXT,
      );
    return isLiteral && isSmall ? this.#literals(node, key) : undefined;
  }

  /** A look-up that the deployment decides, in a mapping that is a name of the module. */
  #openLookup(args: readonly DataNode[], line: number): Expression | undefined {
    const [map, top, second, options] = args;
    if (map === undefined || top === undefined || second === undefined) return undefined;
    const name = this.nameIn(map);
    if (name !== undefined && memberOf(this.#names.mappings, name) === undefined) return undefined;
    const of = name === undefined ? this.#mappingChosenBy(map, line) : mapping(name, line);
    if (of === undefined) return undefined;
    const keys = [top, second].map((key) => this.#keyOf(key));
    const otherwise = memberOf(options, "DefaultValue");
    if (otherwise === undefined) return { kind: "call", name: "[]", args: [of, ...keys], line };
    const [first = literal(null), last = literal(null)] = keys;
    const within: Expression = { kind: "call", name: "[]", args: [of, first], line };
    const instead = this.#read(otherwise) ?? noValue(line);
    return { kind: "call", name: "lookup", args: [within, last, instead], line };
  }

  /** A key, also one that YAML reads as a number or a boolean. */
  #keyOf(node: DataNode): Expression {
    const text = literalText(node, this.#names.mappings);
    return text === undefined ? this.#readOrNull(node) : literal(text);
  }

  /** Undefined: the template chooses between mappings at too many places. */
  #mappingChosenBy(name: DataNode, line: number): Expression | undefined {
    const all = membersOf(this.#names.mappings);
    if (!this.#names.repeated.take(VALUES_OF_MEMBER * all.size)) return undefined;
    const members = [...all.keys()].map((one): Member => ({
      name: one,
      value: mapping(one, line),
      line,
    }));
    const args: Expression[] = [{ kind: "object", members }, this.#readOrNull(name)];
    return { kind: "call", name: "[]", args, line };
  }

  /** The mappings as names of the module. */
  locals(file: string): SourceLocal[] {
    return [...membersOf(this.#names.mappings)].map(([name, node]) => ({
      name: `Mappings.${name}`,
      value: this.#literals(node, name),
      file,
      line: lineOf(node),
    }));
  }

  /** A mapping consists of literals. A function in it could look up itself. */
  #literals(node: DataNode, name: string): Expression {
    const { line } = node;
    if (intrinsicOf(node) !== undefined)
      return { kind: "opaque", text: "Mappings", references: [], line };
    switch (node.kind) {
      case "map":
        return {
          kind: "object",
          members: [...node.members].map(([key, one]) => ({
            name: key,
            value: this.#literals(one, key),
            line: lineOf(one),
          })),
        };
      case "list":
        return {
          kind: "list",
          items: withoutSecretArguments(
            node.items.map((item) => this.#literals(item, name)),
            line,
          ),
        };
      case "scalar":
        return scalarOf(node.value, line, name);
      case "alias":
        return this.#readOrNull(node, name);
    }
  }

  /** The resources of which a mapping tells one, as its values by the open first key. Undefined: not all are resources. */
  targetsIn(node: DataNode, path: readonly string[], line: number): Expression | undefined {
    const intrinsic = intrinsicOf(node);
    if (intrinsic?.name !== "Fn::FindInMap") return undefined;
    const [map, top, second, ...others] = argumentsIn(intrinsic.argument);
    const name = map && this.nameIn(map);
    const key = second && this.nameIn(second);
    if (name === undefined || key === undefined || top === undefined || others.length > 0)
      return undefined;
    const all = membersOf(memberOf(this.#names.mappings, name));
    if (all.size === 0 || all.size > MAX_FOUND_ITEMS) return undefined;
    if (!this.#names.repeated.take(VALUES_OF_MEMBER * all.size)) return undefined;
    const members: Member[] = [];
    for (const [one, inside] of all) {
      const [address = "", ...rest] = (nameIn(memberOf(inside, key)) ?? "").split(".");
      if (!this.#names.resources.has(address)) return undefined;
      const target = { kind: "resource", address } as const;
      const value: Expression = { kind: "reference", target, path: [...rest, ...path], line };
      members.push({ name: one, value, line });
    }
    const args: Expression[] = [{ kind: "object", members }, this.#keyOf(top)];
    return { kind: "call", name: "[]", args, line };
  }
}

function mapping(name: string, line: number): Expression {
  const target = { kind: "local", name: `Mappings.${name}` } as const;
  return { kind: "reference", target, path: [], line };
}
