import { withoutSecretTexts } from "#importers/data-expression.ts";
import { isValueOfPair } from "#importers/evaluate/secret-members.ts";
import { literal, referencesIn, type Expression, type Member } from "#importers/expression.ts";
import {
  isSecretSetting,
  withoutLiterals,
  withoutSecretArguments,
} from "#importers/hidden-values.ts";
import {
  memberOf,
  nameIn,
  textIn,
  type DataMap,
  type DataNode,
} from "#importers/text/data-node.ts";
import { flatText, isTextPart, withinRepeats } from "#importers/text/joined-text.ts";
import { withDynamicReferences } from "./dynamic-references.ts";
import { argumentsIn, callName, intrinsicOf, type Intrinsic } from "./intrinsic.ts";
import { MappingReader } from "./mapping-reader.ts";
import { noValue } from "./no-value.ts";
import type { OpenLoop } from "./open-loops.ts";
import { scalarOf } from "./scalar-of.ts";
import { subParts } from "./sub-text.ts";
import type { TemplateNames } from "./template-names.ts";

const plainCalls = new Set([
  "Fn::Base64",
  "Fn::Cidr",
  "Fn::GetAZs",
  "Fn::ImportValue",
  "Fn::Length",
  "Fn::Split",
  "Fn::ToJsonString",
]);

/** The members with the name in a pair of name and value. */
const namesOfPairs = ["Name", "Key", "ParameterKey", "OptionName"];

/** Functions whose only argument may be a list. */
const ofOneArgument = new Set(["Fn::Length", "Fn::ToJsonString"]);

/** Reads the values of one template. */
export class ValueReader {
  readonly #names: TemplateNames;
  /** The name of the loop around the value. */
  #loop: string | undefined;
  readonly mappings: MappingReader;
  readonly #loops: readonly OpenLoop[];
  /** The addresses of resources in loops by the start and end of their logical ids. */
  readonly #loopEnds: ReadonlyMap<string, string>;

  constructor(names: TemplateNames) {
    this.#names = names;
    this.mappings = new MappingReader(names, (node, name) => this.read(node, name));
    this.#loops = [...names.loops.values()].flat();
    this.#loopEnds = new Map(this.#loops.map(({ id, start, end }) => [`${start}\n${end}`, id]));
  }

  /**
   * Converts a value to an expression; undefined for `AWS::NoValue`. A text is hidden if it is a secret by itself or by
   * `name`, the name of its setting.
   */
  read(node: DataNode, name = ""): Expression | undefined {
    const intrinsic = intrinsicOf(node);
    if (intrinsic !== undefined) {
      const meant = this.#intrinsic(intrinsic, node.line);
      if (meant === undefined) return undefined;
      return isSecretSetting(name) ? withoutSecretLiterals(meant, node.line) : meant;
    }
    switch (node.kind) {
      case "scalar": {
        const { value, line } = node;
        // A loop replaces its name in every text.
        if (this.#loop !== undefined && typeof value === "string" && /[$&]\{/.test(value))
          return this.#looped(value, line);
        return scalarOf(value, line, name);
      }
      case "alias":
        return { kind: "opaque", text: `*${node.name}`, references: [], line: node.line };
      case "list":
        return {
          kind: "list",
          items: withoutSecretArguments(this.#readAll(node.items, name), node.line),
        };
      case "map":
        return this.#map(node);
    }
  }

  /** Reads values in which the name of a loop stands for its key. */
  inLoop(variable: string, read: () => void): void {
    this.#loop = variable;
    read();
    this.#loop = undefined;
  }

  /** Like `read`, with null for `AWS::NoValue`. */
  readOrNull(node: DataNode, name = ""): Expression {
    return this.read(node, name) ?? literal(null);
  }

  #readAll(nodes: readonly DataNode[], name = ""): Expression[] {
    return nodes.flatMap((node) => this.read(node, name) ?? []);
  }

  #map(node: DataMap): Expression {
    // A named pair, as in the environment of a container: `{ Name: DB_PASSWORD, Value: … }`.
    const [named = ""] = namesOfPairs.flatMap((name) => textIn(memberOf(node, name)) ?? []);
    const members: Member[] = [];
    for (const [name, member] of node.members) {
      // A macro's part is lost alone, not the settings beside it.
      if (name.startsWith("Fn::")) {
        members.push({ name, value: this.#opaque(name, [member], member.line), line: member.line });
        continue;
      }
      const isOfSecret = isValueOfPair(name) && isSecretSetting(named);
      const value = this.read(member, isOfSecret ? named : name);
      if (value !== undefined) members.push({ name, value, line: member.line });
    }
    return { kind: "object", members };
  }

  #intrinsic({ name, argument }: Intrinsic, line: number): Expression | undefined {
    const args = argumentsIn(argument);
    switch (name) {
      case "Ref": {
        const named = this.#nameIn(argument);
        if (named !== undefined) return this.#ref(named, line);
        return this.mappings.targetsIn(argument, [], line) ?? this.#opaque(name, [argument], line);
      }
      case "Fn::GetAtt":
        return this.#attribute(args, line);
      case "Fn::Sub":
        return this.#sub(args, line);
      case "Fn::Join":
        return this.#join(args, line);
      case "Fn::Select":
        return this.#select(args, line);
      case "Fn::FindInMap":
        return this.#found(args, line);
      case "Fn::If":
        return this.#either(args, line);
      default:
        break;
    }
    if (!plainCalls.has(name)) return this.#opaque(name, args, line);
    const read = (ofOneArgument.has(name) ? [argument] : args).map((one) => this.readOrNull(one));
    return { kind: "call", name: callName(name), args: read, line };
  }

  /** A name that is written out, that a mapping tells, or that has the name of the loop around in it. */
  #nameIn(node: DataNode): string | undefined {
    const known = this.mappings.nameIn(node);
    const intrinsic = known === undefined ? intrinsicOf(node) : undefined;
    if (this.#loop === undefined || intrinsic?.name !== "Fn::Sub") return known;
    const text = textIn(argumentsIn(intrinsic.argument)[0]);
    const names = subParts(text ?? "").filter(({ kind }) => kind === "name");
    const [only] = names;
    return names.length === 1 && only?.kind === "name" && only.name === this.#loop
      ? text
      : undefined;
  }

  #ref(name: string, line: number): Expression | undefined {
    if (name === "AWS::NoValue") return undefined;
    return this.#named(name, line);
  }

  /** Reads a name of `Ref` or `Fn::Sub`, alone or with an attribute. */
  #named(name: string, line: number): Expression {
    if (name.startsWith("AWS::"))
      return { kind: "call", name: "pseudo", args: [literal(name)], line };
    if (name === this.#loop) return eachKey(line);
    if (this.#names.parameters.has(name))
      return { kind: "reference", target: { kind: "variable", name }, path: [], line };
    const [address = "", ...path] = name.split(".");
    const [part, ...output] = path;
    if (this.#names.nested.has(address) && part === "Outputs" && output.length > 0) {
      const target = { kind: "module", name: address } as const;
      return { kind: "reference", target, path: output, line };
    }
    const looped = this.#ofLoop(address, path, line);
    if (looped !== undefined) return looped;
    if (this.#names.resources.has(address) || (this.#names.isServerless && isLogicalId(address)))
      return { kind: "reference", target: { kind: "resource", address }, path, line };
    return opaqueOf(`\${${name.slice(0, 256)}}`, [], line);
  }

  #looped(text: string, line: number): Expression {
    const [first = "", ...others] = text.split(`\${${this.#loop ?? ""}}`);
    const parts = others.flatMap((one) => [eachKey(line), literal(one)]);
    return flatText([literal(first), ...parts], line);
  }

  /** One resource of a loop, by its logical id with the loop's name or with a key. */
  #ofLoop(address: string, path: readonly string[], line: number): Expression | undefined {
    if (this.#loops.length === 0) return undefined;
    const ends = this.#loop === undefined ? [] : address.split(`\${${this.#loop}}`);
    const own = ends.length === 2 ? this.#loopEnds.get(ends.join("\n")) : undefined;
    if (own !== undefined) {
      const target = { kind: "resource", address: own } as const;
      const of: Expression = { kind: "reference", target, path: [], line };
      const args = [of, eachKey(line), ...path.map((step) => literal(step))];
      return { kind: "call", name: "[]", args, line };
    }
    if (this.#names.resources.has(address)) return undefined;
    if (!this.#names.repeated.take(this.#loops.length / COMPARED_FOR_VALUE)) return undefined;
    for (const { id, start, end } of this.#loops) {
      const isOne = address.startsWith(start) && address.endsWith(end);
      const key = isOne ? address.slice(start.length, address.length - end.length) : "";
      const target = { kind: "resource", address: id } as const;
      if (key !== "") return { kind: "reference", target, path: [key, ...path], line };
    }
    return undefined;
  }

  #attribute(args: readonly DataNode[], line: number): Expression {
    const words = args.map((arg) => this.#nameIn(arg));
    if (!words.every((word) => word !== undefined)) {
      const [target] = args;
      const path = words.slice(1).filter((word) => word !== undefined);
      const isTold = target !== undefined && path.length === args.length - 1;
      const steps = path.flatMap((word) => word.split("."));
      const chosen = isTold ? this.mappings.targetsIn(target, steps, line) : undefined;
      return chosen ?? this.#opaque("Fn::GetAtt", args, line);
    }
    const name = words.join(".");
    return name.includes(".") ? this.#named(name, line) : this.#opaque("Fn::GetAtt", args, line);
  }

  #sub(args: readonly DataNode[], line: number): Expression {
    const [source, given] = args;
    const text = source === undefined ? undefined : textIn(source);
    if (text === undefined) return this.#opaque("Fn::Sub", args, line);
    const own = new Map<string, Expression>();
    if (given?.kind === "map")
      for (const [name, node] of given.members) own.set(name, this.readOrNull(node, name));
    const parts: Expression[] = [];
    const used: Expression[] = [];
    for (const part of subParts(text)) {
      if (part.kind === "text") {
        parts.push(literal(part.text));
        continue;
      }
      const mine = own.get(part.name);
      if (mine !== undefined) used.push(mine);
      parts.push(mine ?? this.#named(part.name, line));
    }
    if (withinRepeats(used) && parts.every(isTextPart))
      return withDynamicReferences(flatText(parts, line), line);
    return opaqueOf("Fn::Sub", [...new Set(parts)], line);
  }

  #join(args: readonly DataNode[], line: number): Expression {
    const [delimiter, list] = args;
    const between = delimiter === undefined ? undefined : textIn(delimiter);
    const isWritten = list?.kind === "list" && intrinsicOf(list) === undefined;
    const read = args.map((one) => this.readOrNull(one));
    const items = read[1];
    if (between !== undefined && isWritten && items?.kind === "list")
      if (items.items.every(isTextPart) && list.items.every((one) => !mayBeLeftOut(one))) {
        const parts = items.items.flatMap((item, at) =>
          at === 0 ? [item] : [literal(between), item],
        );
        return withDynamicReferences(flatText(parts, line), line);
      }
    return { kind: "call", name: "join", args: read, line };
  }

  #select(args: readonly DataNode[], line: number): Expression | undefined {
    const [index, list] = args;
    const at = index?.kind === "scalar" && index.value !== null ? Number(index.value) : Number.NaN;
    if (list?.kind === "list" && intrinsicOf(list) === undefined) {
      const item = list.items[at];
      const isFixed = list.items.every((one) => !mayBeLeftOut(one) && !isNoValue(one));
      if (item !== undefined && isFixed) return this.read(item);
    }
    const [given = literal(null), of = literal(null)] = args.map((one) => this.readOrNull(one));
    const step = Number.isInteger(at) ? literal(at) : given;
    return { kind: "call", name: "[]", args: [of, step], line };
  }

  #found(args: readonly DataNode[], line: number): Expression | undefined {
    const found = this.mappings.lookUp(args, line);
    return found === undefined ? this.#opaque("Fn::FindInMap", args, line) : found.value;
  }

  #either(args: readonly DataNode[], line: number): Expression | undefined {
    const [condition, then, otherwise] = args;
    const name = nameIn(condition);
    const holds = name === undefined ? undefined : this.#names.conditions.holds(name);
    const side = holds === true ? then : holds === false ? otherwise : undefined;
    if (side !== undefined) return this.read(side);
    const written = name === undefined ? undefined : this.condition(name);
    if (written === undefined || then === undefined || otherwise === undefined)
      return this.#opaque("Fn::If", args, line);
    const sides = [then, otherwise].map((one) => this.read(one) ?? noValue(line));
    return { kind: "call", name: "?:", args: [written, ...sides], line };
  }

  /** A condition that the deployment decides, as an expression. */
  condition(name: string): Expression | undefined {
    return this.#names.conditions.expression(name);
  }

  /**
   * Reads the arguments. The caller must not have read one before: nested arguments would then take exponential time.
   */
  #opaque(name: string, args: readonly DataNode[], line: number): Expression {
    const [first] = args;
    const subject = nameFirst.has(name) && first !== undefined ? (textIn(first) ?? "") : "";
    const text = `${name} ${subject.slice(0, 256)}`.trim();
    return opaqueOf(
      text,
      args.map((arg) => this.readOrNull(arg)),
      line,
    );
  }
}

/** Hides the texts of a secret value. The name of an entry in another store is no secret. */
function withoutSecretLiterals(meant: Expression, line: number): Expression {
  if (meant.kind !== "call" || meant.name !== "?:") return withoutLiterals(meant, line);
  const [condition = literal(null), ...sides] = meant.args;
  const args = [condition, ...sides.map((side) => withoutSecretLiterals(side, line))];
  return { ...meant, args };
}

/** A value without another form: its function, the name in its first argument, and the references of all arguments. */
export function opaqueOf(text: string, args: readonly Expression[], line: number): Expression {
  // A secret may stand where a name should.
  return withoutSecretTexts(
    { kind: "opaque", text, references: args.flatMap(referencesIn), line },
    line,
  );
}

/** Comparisons of a name with the ids of loops that take the time of a value. */
const COMPARED_FOR_VALUE = 20;

/** Functions whose first argument is a name of the template. */
const nameFirst = new Set(["Fn::If", "Fn::FindInMap", "Fn::GetAtt"]);

function eachKey(line: number): Expression {
  return { kind: "reference", target: { kind: "each", name: "key" }, path: [], line };
}

function isLogicalId(name: string): boolean {
  return /^[A-Za-z][A-Za-z0-9]{0,254}$/.test(name);
}

function isNoValue(node: DataNode): boolean {
  const intrinsic = intrinsicOf(node);
  return intrinsic?.name === "Ref" && nameIn(intrinsic.argument) === "AWS::NoValue";
}

/** Whether a condition that the deployment decides may leave an item of a list out. */
function mayBeLeftOut(item: DataNode): boolean {
  const intrinsic = intrinsicOf(item);
  if (intrinsic?.name !== "Fn::If") return false;
  const sides = argumentsIn(intrinsic.argument).slice(1);
  return sides.some((side) => isNoValue(side) || mayBeLeftOut(side));
}
