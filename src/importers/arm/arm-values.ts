import { literal, referencesIn, type Expression, type Member } from "#importers/expression.ts";
import {
  hidden,
  holdsSecret,
  isSecretSetting,
  withoutLiterals,
  withoutSecretArguments,
} from "#importers/hidden-values.ts";
import { memberOf, textIn, type DataMap, type DataNode } from "#importers/text/data-node.ts";
import { flatText, isTextPart } from "#importers/text/joined-text.ts";
import { callMeaning } from "./arm-calls.ts";
import { type ArmNames, copiesIn } from "./arm-names.ts";
import { type ArmResources, joinedNames } from "./arm-resource-index.ts";
import { isArmExpression, parseArmExpression, unescapedArm, type ArmNode } from "./arm-syntax.ts";

/** The number of the current copy, by the name of its loop in lower case. */
export type CopyIndexes = ReadonlyMap<string, number>;

const MAX_TEXT = 256;

/** Reads the values of one template. */
export class ArmValues {
  readonly #names: ArmNames;
  readonly #resources: ArmResources;

  /** `resources` may be filled later. Until then, references to them are read as calls. */
  constructor(names: ArmNames, resources: ArmResources) {
    this.#names = names;
    this.#resources = resources;
  }

  /**
   * Converts a value to an expression. A text is hidden if it is a secret by itself or by `name`, the name of its
   * setting.
   */
  read(node: DataNode, copy: CopyIndexes, name = ""): Expression {
    switch (node.kind) {
      case "scalar": {
        const { value, line } = node;
        const read = typeof value === "string" ? this.#text(value, line, copy) : literal(value);
        return isSecretSetting(name) ? withoutLiterals(read, line) : read;
      }
      case "alias":
        return { kind: "opaque", text: "", references: [], line: node.line };
      case "list":
        return {
          kind: "list",
          items: withoutSecretArguments(
            node.items.map((item) => this.read(item, copy, name)),
            node.line,
          ),
        };
      case "map":
        return this.#map(node, copy);
    }
  }

  #map(node: DataMap, copy: CopyIndexes): Expression {
    // A named pair, as in application settings: `{ name: DB_PASSWORD, value: … }`.
    const named = textIn(memberOf(node, "name")) ?? "";
    const members: Member[] = [];
    for (const [name, member] of node.members) {
      const { line } = member;
      const made = name === "copy" ? this.#copied(member, copy) : [];
      for (const property of made) members.push(property);
      if (made.length > 0) continue;
      const meaning = name === "value" && isSecretSetting(named) ? named : name;
      const value = this.#identities(name, member, copy) ?? this.read(member, copy, meaning);
      members.push({ name, value, line });
    }
    // A property of a `copy` wins over another with its name.
    const unique = new Map(members.map((member) => [member.name, member]));
    return { kind: "object", members: [...unique.values()] };
  }

  /** Converts a map whose keys are ids to the list of these ids, which may be expressions. */
  #identities(name: string, node: DataNode, copy: CopyIndexes): Expression | undefined {
    if (name !== "userAssignedIdentities" || node.kind !== "map") return undefined;
    const items = [...node.members.keys()].map((id) => this.#text(id, node.line, copy));
    return { kind: "list", items };
  }

  /** The properties that a `copy` in an object declares: lists of `count` items. */
  #copied(node: DataNode, copy: CopyIndexes): Member[] {
    const made: Member[] = [];
    for (const { name, item } of copiesIn(node)) {
      const input = memberOf(item, "input");
      const references = input === undefined ? [] : referencesIn(this.read(input, copy));
      const { line } = item;
      made.push({ name, value: { kind: "opaque", text: "copy", references, line }, line });
    }
    return made;
  }

  #text(text: string, line: number, copy: CopyIndexes): Expression {
    if (!isArmExpression(text)) {
      const meant = unescapedArm(text);
      return holdsSecret(meant) ? hidden(line) : literal(meant);
    }
    const node = parseArmExpression(text);
    if (node === undefined) return { kind: "opaque", text: shown(text), references: [], line };
    return this.#node(node, line, copy);
  }

  #node(node: ArmNode, line: number, copy: CopyIndexes): Expression {
    if (node.kind === "literal")
      return typeof node.value === "string" && holdsSecret(node.value)
        ? hidden(line)
        : literal(node.value);
    const steps = node.path.map((step) => this.#node(step, line, copy));
    // Read once: reading nested arguments again at each level would take exponential time.
    const args = node.args.map((arg) => this.#node(arg, line, copy));
    const path = steps.map(stepOf);
    const plain = path.every((step) => step !== undefined) ? path : undefined;
    const meant = plain === undefined ? undefined : this.#call(node.name, args, plain, line, copy);
    if (meant !== undefined) return meant;
    const isList = node.args.some((arg) => this.#isList(arg));
    const alone = steps.length === 0 ? undefined : this.#call(node.name, args, [], line, copy);
    const base = alone ?? callMeaning(node.name, args, isList, line);
    if (steps.length === 0) return base;
    const [only] = path;
    if (path.length === 1 && typeof only === "number" && base.kind === "call")
      return { kind: "call", name: "select", args: [literal(only), base], line };
    const written = path.map((step) =>
      typeof step === "string" ? `.${step}` : `[${step ?? "…"}]`,
    );
    return {
      kind: "opaque",
      text: shown(`[${node.name}(…)${written.join("")}]`),
      references: [base, ...steps].flatMap(referencesIn),
      line,
    };
  }

  /** Evaluates a call together with its path; undefined if the call has no such meaning. */
  #call(
    name: string,
    args: readonly Expression[],
    path: readonly (string | number)[],
    line: number,
    copy: CopyIndexes,
  ): Expression | undefined {
    const called = name.toLowerCase();
    const [first] = args;
    if (called === "parameters" || called === "variables") {
      const given = first?.kind === "literal" ? String(first.value).toLowerCase() : "";
      const declared = this.#names[called].get(given);
      if (declared === undefined) return undefined;
      const kind = called === "parameters" ? "variable" : "local";
      return { kind: "reference", target: { kind, name: declared }, path, line };
    }
    if (called === "reference") {
      const address = first === undefined ? undefined : this.#addressOf(first);
      if (address === undefined) return undefined;
      const isWhole = args.some((arg) => arg.kind === "literal" && arg.value === "Full");
      const read = isWhole ? path : ["properties", ...path];
      return { kind: "reference", target: { kind: "resource", address }, path: read, line };
    }
    const place = args.length === 0 && path.length > 0 ? deployed.get(called) : undefined;
    if (place !== undefined)
      return { kind: "call", name: "pseudo", args: [literal([place, ...path].join("."))], line };
    if (path.length > 0) return undefined;
    if (called.endsWith("resourceid")) return this.#resourceId(args, line);
    return called === "copyindex" ? copyIndex(args, copy) : undefined;
  }

  /** The address of the resource in the first argument of `reference`. */
  #addressOf(given: Expression): string | undefined {
    if (given.kind !== "reference" || given.target.kind !== "resource")
      return this.#resources.named(given);
    const isId = given.path.length === 1 && given.path[0] === "id";
    return isId ? given.target.address : undefined;
  }

  /** Reads `resourceId([subscription], [group], type, name, …)` of a resource of the template, or of a part of one. */
  #resourceId(args: readonly Expression[], line: number): Expression | undefined {
    const at = args.findIndex((arg) => arg.kind === "literal" && String(arg.value).includes("/"));
    const type = args[at];
    if (type?.kind !== "literal") return undefined;
    const kinds = String(type.value).replace(/\/$/, "").split("/");
    const names = args.slice(at + 1);
    if (names.length !== kinds.length - 1 || names.length > MAX_KINDS) return undefined;
    for (let known = names.length; known > 0; known -= 1) {
      const own = joinedNames(names.slice(0, known));
      const address = this.#resources.find(kinds.slice(0, known + 1).join("/"), own);
      if (address === undefined) continue;
      const target = { kind: "resource", address } as const;
      const id: Expression = { kind: "reference", target, path: ["id"], line };
      const rest = names
        .slice(known)
        .flatMap((name, more) => [literal(`/${kinds[known + 1 + more] ?? ""}/`), name]);
      if (rest.length === 0) return id;
      return rest.every(isTextPart) ? flatText([id, ...rest], line) : undefined;
    }
    return undefined;
  }

  #isList(arg: ArmNode): boolean {
    if (arg.kind !== "call" || arg.path.length > 0) return false;
    const [first] = arg.args;
    const given = first?.kind === "literal" ? String(first.value).toLowerCase() : "";
    return this.#names.lists.has(`${arg.name.toLowerCase()} ${given}`);
  }
}

/** A literal member or index; undefined for a computed one. */
function stepOf(read: Expression): string | number | undefined {
  if (read.kind !== "literal") return undefined;
  return typeof read.value === "string" || typeof read.value === "number" ? read.value : undefined;
}

const MAX_KINDS = 20;

/** Functions of the deployment's place, by their names in `pseudo`. */
const deployed = new Map(
  ["resourceGroup", "subscription", "tenant", "deployment", "environment", "managementGroup"].map(
    (name) => [name.toLowerCase(), name],
  ),
);

function copyIndex(args: readonly Expression[], copy: CopyIndexes): Expression | undefined {
  let name = "";
  let offset = 0;
  for (const arg of args) {
    if (arg.kind !== "literal") return undefined;
    if (typeof arg.value === "string") name = arg.value.toLowerCase();
    else if (typeof arg.value === "number") offset = arg.value;
  }
  const index = copy.get(name);
  return index === undefined ? undefined : literal(index + offset);
}

function shown(text: string): string {
  return holdsSecret(text) ? "" : text.slice(0, MAX_TEXT);
}
