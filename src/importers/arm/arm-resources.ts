import type { Expression, Member } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import { lineOf, memberOf, type DataMap, type DataNode } from "#importers/text/data-node.ts";
import type { ArmDeclaration, ArmDeclarations } from "./arm-declarations.ts";
import { membersOf, readableName } from "./arm-names.ts";
import type { ArmResources } from "./arm-resource-index.ts";
import type { ArmValues, CopyIndexes } from "./arm-values.ts";

/** Members that ARM itself interprets. */
const ownArguments = new Set([
  "apiVersion",
  "comments",
  "condition",
  "copy",
  "dependsOn",
  "existing",
  "name",
  "resources",
  "type",
]);

/** Reads the declared resources of a template. */
export class ArmResourceReader {
  readonly #values: ArmValues;
  readonly #index: ArmResources;
  readonly #variables: DataNode | undefined;
  readonly #loops: ArmDeclarations["loops"];
  readonly #file: string;
  readonly #log: ImportLog;
  #ofLoops = 0;

  constructor(given: {
    values: ArmValues;
    index: ArmResources;
    variables: DataNode | undefined;
    loops: ArmDeclarations["loops"];
    file: string;
    log: ImportLog;
  }) {
    this.#values = given.values;
    this.#index = given.index;
    this.#variables = given.variables;
    this.#loops = given.loops;
    this.#file = given.file;
    this.#log = given.log;
  }

  read(declaration: ArmDeclaration): SourceResource {
    const { address, type, name, node, copy, repeated } = declaration;
    const version = this.#literalOf(memberOf(node, "apiVersion"), copy);
    const location = memberOf(node, "location");
    const existing = memberOf(node, "existing");
    const isData = existing?.kind === "scalar" && existing.value === true;
    const isNested = type.toLowerCase() === "microsoft.resources/deployments";
    const line = lineOf(node);
    if (isNested) this.#reportNested(node, line);
    return {
      address,
      mode: isData ? "data" : "managed",
      type: version === undefined ? type : `${type}@${version}`,
      name: readableName(name),
      file: this.#file,
      line,
      endLine: node.endLine,
      provider: "azure",
      region: location === undefined ? undefined : this.#values.read(location, copy),
      repeated,
      settings: { kind: "object", members: this.#settings(declaration, isNested) },
      dependsOn: this.#dependencies(declaration),
    };
  }

  #reportNested(node: DataNode, line: number): void {
    const properties = memberOf(node, "properties");
    const isInline = memberOf(properties, "template") !== undefined;
    const message = isInline
      ? "The template inside this deployment is not read: import it as a file of its own."
      : "The template that this deployment links to is not read: import it as a file of its own.";
    this.#log.add("warning", "nested_template", message, { file: this.#file, line });
  }

  #settings({ name, node, copy }: ArmDeclaration, isNested: boolean): Member[] {
    const { line } = memberOf(node, "name") ?? node;
    const members: Member[] = [{ name: "name", value: name, line }];
    for (const [own, member] of membersOf(node)) {
      if (ownArguments.has(own)) continue;
      const read = isNested && own === "properties" ? withoutTemplate(member) : member;
      const value =
        own === "scope" ? this.#scope(member, copy) : this.#values.read(read, copy, own);
      members.push({ name: own, value, line: member.line });
    }
    return members;
  }

  /** The scope of an extension: the id of a resource in the template, or another value. */
  #scope(node: DataNode, copy: CopyIndexes): Expression {
    const read = this.#resolved(node, copy);
    const [address, ...more] = this.#addressesOf(read);
    const { line } = node;
    if (address !== undefined && more.length === 0)
      return { kind: "reference", target: { kind: "resource", address }, path: ["id"], line };
    const start = read.kind === "text" ? read.parts[0] : read;
    const isRelative = start?.kind === "literal" && !String(start.value).startsWith("/");
    // The name of a resource elsewhere is not an id. Without a scope the extension would apply to the whole group.
    return isRelative ? { kind: "opaque", text: "scope", references: [], line } : read;
  }

  #dependencies({ node, copy, parent }: ArmDeclaration): Dependency[] {
    const found = new Map<string, Dependency>();
    const add = (address: string, line: number) => {
      if (!found.has(address)) found.set(address, { address, line });
    };
    if (parent !== undefined) add(parent, lineOf(node));
    const written = memberOf(node, "dependsOn");
    for (const item of written?.kind === "list" ? written.items : []) {
      const read = this.#resolved(item, copy);
      for (const address of this.#addressesOf(read)) add(address, item.line);
    }
    return [...found.values()];
  }

  #addressesOf(read: Expression): readonly string[] {
    const first = read.kind === "text" ? read.parts[0] : read;
    if (first?.kind === "reference" && first.target.kind === "resource")
      return [first.target.address];
    if (read.kind === "literal") {
      const loop = this.#loops.get(String(read.value).toLowerCase());
      if (loop !== undefined) return this.#copiesOf(loop);
    }
    const named = this.#index.named(read);
    return named === undefined ? [] : [named];
  }

  #copiesOf(loop: readonly string[]): readonly string[] {
    this.#ofLoops += loop.length;
    return this.#ofLoops > MAX_OF_LOOPS ? loop.slice(0, 1) : loop;
  }

  /** Reads a value, and follows it through variables. */
  #resolved(node: DataNode, copy: CopyIndexes): Expression {
    let read = this.#values.read(node, copy);
    for (let followed = 0; followed < MAX_FOLLOWED; followed += 1) {
      if (read.kind !== "reference" || read.target.kind !== "local" || read.path.length > 0)
        return read;
      const variable = memberOf(this.#variables, read.target.name);
      if (variable?.kind !== "scalar") return read;
      // A resource may be named like the variable's value, and the variable like the resource.
      if (this.#index.named(read) !== undefined) return read;
      read = this.#values.read(variable, copy);
    }
    return read;
  }

  #literalOf(node: DataNode | undefined, copy: CopyIndexes): string | undefined {
    if (node === undefined) return undefined;
    const read = this.#resolved(node, copy);
    return read.kind === "literal" && typeof read.value === "string" ? read.value : undefined;
  }
}

/** The limit on dependencies on all copies of loops. Beyond it, the first copy stands for its loop. */
const MAX_OF_LOOPS = 20_000;

const MAX_FOLLOWED = 5;

/** The expressions of an inner template may refer to its own names. */
function withoutTemplate(properties: DataNode): DataNode {
  if (properties.kind !== "map") return properties;
  const members = new Map(properties.members);
  members.delete("template");
  return { ...properties, members } satisfies DataMap;
}
