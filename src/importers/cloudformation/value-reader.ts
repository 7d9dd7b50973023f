import { literal, referencesIn, type Expression, type Member } from "#importers/expression.ts";
import {
  hidden,
  holdsSecret,
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
import { argumentsIn, callName, intrinsicOf, type Intrinsic } from "./intrinsic.ts";
import { subParts } from "./sub-text.ts";
import { literalText, lookedUp, type TemplateNames } from "./template-names.ts";

const plainCalls = new Set([
  "Fn::Base64",
  "Fn::Cidr",
  "Fn::GetAZs",
  "Fn::ImportValue",
  "Fn::Length",
  "Fn::Split",
  "Fn::ToJsonString",
]);

/** Functions whose only argument may be a list. */
const ofOneArgument = new Set(["Fn::Length", "Fn::ToJsonString"]);

/** Reads the values of one template. */
export class ValueReader {
  readonly #names: TemplateNames;

  constructor(names: TemplateNames) {
    this.#names = names;
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
      return isSecretSetting(name) ? withoutLiterals(meant, node.line) : meant;
    }
    switch (node.kind) {
      case "scalar":
        return scalarOf(node.value, node.line, name);
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

  /** Like `read`, with null for `AWS::NoValue`. */
  readOrNull(node: DataNode, name = ""): Expression {
    return this.read(node, name) ?? literal(null);
  }

  #readAll(nodes: readonly DataNode[], name = ""): Expression[] {
    return nodes.flatMap((node) => this.read(node, name) ?? []);
  }

  #map(node: DataMap): Expression {
    // A named pair, as in the environment of a container: `{ Name: DB_PASSWORD, Value: … }`.
    const named = textIn(memberOf(node, "Name")) ?? textIn(memberOf(node, "Key")) ?? "";
    const members: Member[] = [];
    for (const [name, member] of node.members) {
      // A macro's part is lost alone, not the settings beside it.
      if (name.startsWith("Fn::")) {
        members.push({ name, value: this.#opaque(name, [member], member.line), line: member.line });
        continue;
      }
      const value = this.read(member, name === "Value" && isSecretSetting(named) ? named : name);
      if (value !== undefined) members.push({ name, value, line: member.line });
    }
    return { kind: "object", members };
  }

  #intrinsic({ name, argument }: Intrinsic, line: number): Expression | undefined {
    const args = argumentsIn(argument);
    switch (name) {
      case "Ref":
        return this.#ref(this.#nameIn(argument) ?? "", line);
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

  /** A name that is written out, or that a mapping tells. */
  #nameIn(node: DataNode): string | undefined {
    return nameIn(node) ?? literalText(node, this.#names.mappings);
  }

  #ref(name: string, line: number): Expression | undefined {
    if (name === "AWS::NoValue") return undefined;
    return this.#named(name, line);
  }

  /** Reads a name of `Ref` or `Fn::Sub`, alone or with an attribute. */
  #named(name: string, line: number): Expression {
    if (name.startsWith("AWS::"))
      return { kind: "call", name: "pseudo", args: [literal(name)], line };
    if (this.#names.parameters.has(name))
      return { kind: "reference", target: { kind: "variable", name }, path: [], line };
    const [address = "", ...path] = name.split(".");
    if (this.#names.resources.has(address))
      return { kind: "reference", target: { kind: "resource", address }, path, line };
    return { kind: "opaque", text: `\${${name.slice(0, 256)}}`, references: [], line };
  }

  #attribute(args: readonly DataNode[], line: number): Expression {
    const words = args.map((arg) => this.#nameIn(arg));
    if (!words.every((word) => word !== undefined)) return this.#opaque("Fn::GetAtt", args, line);
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
    if (withinRepeats(used) && parts.every(isTextPart)) return flatText(parts, line);
    return opaqueOf("Fn::Sub", [...new Set(parts)], line);
  }

  #join(args: readonly DataNode[], line: number): Expression {
    const [delimiter, list] = args;
    const between = delimiter === undefined ? undefined : textIn(delimiter);
    const isWritten = list?.kind === "list" && intrinsicOf(list) === undefined;
    const read = args.map((one) => this.readOrNull(one));
    const items = read[1];
    if (between !== undefined && isWritten && items?.kind === "list")
      if (items.items.every(isTextPart))
        return flatText(
          items.items.flatMap((item, at) => (at === 0 ? [item] : [literal(between), item])),
          line,
        );
    return { kind: "call", name: "join", args: read, line };
  }

  #select(args: readonly DataNode[], line: number): Expression | undefined {
    const [index, list] = args;
    const at = index?.kind === "scalar" && index.value !== null ? Number(index.value) : Number.NaN;
    if (list?.kind === "list" && intrinsicOf(list) === undefined) {
      const item = list.items[at];
      if (item !== undefined) return this.read(item);
    }
    const read = args.map((one) => this.readOrNull(one));
    if (Number.isInteger(at)) read[0] = literal(at);
    return { kind: "call", name: "select", args: read, line };
  }

  #found(args: readonly DataNode[], line: number): Expression | undefined {
    const found = lookedUp(args, this.#names.mappings);
    if (found === "missing") {
      const otherwise = memberOf(args[3], "DefaultValue");
      if (otherwise !== undefined) return this.read(otherwise);
    }
    if (found === undefined || found === "missing")
      return this.#opaque("Fn::FindInMap", args, line);
    const { node, key } = found;
    // A mapping is written once, and every line of the file may look it up.
    const values = node.kind === "list" ? node.items : [node];
    // A mapping consists of literals. A function in it could look up itself.
    const isLiteral = intrinsicOf(node) === undefined;
    const isSmall = values.every(
      (value) => value.kind === "scalar" && String(value.value).length <= MAX_FOUND_TEXT,
    );
    if (!isLiteral || !isSmall || values.length > MAX_FOUND_ITEMS)
      return this.#opaque("Fn::FindInMap", args, line);
    return this.readOrNull(node, key);
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
    return this.#names.conditions.expression(name, (node) => this.readOrNull(node));
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

/** The value that leaves its property out. */
export function noValue(line: number): Expression {
  return { kind: "call", name: "pseudo", args: [literal("AWS::NoValue")], line };
}

/** A value without another form: its function, the name in its first argument, and the references of all arguments. */
function opaqueOf(text: string, args: readonly Expression[], line: number): Expression {
  return { kind: "opaque", text, references: args.flatMap(referencesIn), line };
}

const MAX_FOUND_TEXT = 1_024;
const MAX_FOUND_ITEMS = 50;

/** Functions whose first argument is a name of the template. */
const nameFirst = new Set(["Fn::If", "Fn::FindInMap", "Fn::GetAtt"]);

function scalarOf(value: string | number | boolean | null, line: number, name: string): Expression {
  if (typeof value === "boolean" || value === null) return literal(value);
  if (typeof value === "string" && value.includes("{{resolve:"))
    return {
      kind: "opaque",
      text: holdsSecret(value) ? "" : value.slice(0, 256),
      references: [],
      line,
    };
  const isHidden = isSecretSetting(name) || (typeof value === "string" && holdsSecret(value));
  return isHidden ? hidden(line) : literal(value);
}
