import { isSecretEntry } from "#importers/evaluate/secret-members.ts";
import {
  type Expression,
  literal,
  type Member,
  referencesIn,
  withParts,
} from "#importers/expression.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import type { SourceOption } from "#importers/source-option.ts";
import { lineOf, memberOf, membersOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { flatText, isTextPart } from "#importers/text/joined-text.ts";
import type { ArmDeclaration, ArmDeclarations, Around } from "./arm-declarations.ts";
import { readableName } from "./values/arm-names.ts";
import { placeId } from "./values/arm-place.ts";
import { type Turn } from "./values/arm-turn.ts";
import { type ArmValues } from "./values/arm-values.ts";
import { partedConditions } from "./values/conditions.ts";
import { textIn as knownText } from "./values/known-values.ts";
import { repeatsOf } from "./values/open-loops.ts";

/** Members that ARM itself interprets. */
const ownArguments: ReadonlySet<string> = new Set([
  "apiversion",
  "comments",
  "condition",
  "copy",
  "dependson",
  "existing",
  "extension",
  "import",
  "metadata",
  "name",
  "resources",
  "type",
]);

/** Reads the declared resources of a template. */
export class ArmResourceReader {
  readonly #declarations: ArmDeclarations;
  readonly #ofDeployments = new Map<Around, readonly DependedOn[]>();
  #ofLoops = 0;
  #dependencyCount = 0;

  constructor(declarations: ArmDeclarations) {
    this.#declarations = declarations;
  }

  read(declaration: ArmDeclaration): SourceResource {
    const { address, type, name, node, file, values, turn, loops, when, isUncounted } = declaration;
    const version = this.#literalOf(node, "apiVersion", values, turn);
    const location = memberOf(node, "location");
    const existing = memberOf(node, "existing");
    const isData = existing?.kind === "scalar" && existing.value === true;
    const line = lineOf(node);
    const extension = textIn(memberOf(node, "import")) ?? textIn(memberOf(node, "extension"));
    const isOther = extension !== undefined && !/^az(?:ure)?$/i.test(extension);
    const dependsOn = this.#dependencies(declaration);
    const whole = version === undefined ? type : `${type}@${version}`;
    const options = optionsOf(declaration);
    const { same, differing } = partedConditions(when, line);
    const isRepeatable = differing === undefined || values.reading.spendCopy(differing);
    const repeats = isRepeatable ? loops : [];
    const isWhole = isRepeatable && dependsOn !== undefined;
    const undraftable = whyNotDrafted(declaration) ?? (isWhole ? undefined : tooMuch);
    const { count, forEach, inTurn } = repeatsOf(repeats, differing, line);
    return {
      address,
      mode: isData ? "data" : "managed",
      type: isOther ? `${extension}:${whole}` : whole,
      name: readableName(name),
      file,
      line,
      endLine: node.endLine,
      provider: "azure",
      region: location === undefined ? undefined : inTurn(values.read(location, turn)),
      repeated: loops.length > 0 || when.length > 0 || isUncounted,
      ...(count === undefined ? {} : { count }),
      ...(forEach === undefined ? {} : { forEach }),
      ...(same === undefined ? {} : { when: same }),
      settings: {
        kind: "object",
        members: this.#settings(declaration).map((one) => ({ ...one, value: inTurn(one.value) })),
      },
      dependsOn: dependsOn ?? [],
      ...(undraftable === undefined ? {} : { undraftable }),
      ...(options.length === 0 ? {} : { options }),
    };
  }

  #settings(declaration: ArmDeclaration): Member[] {
    const { name, node, values, turn } = declaration;
    const { line } = memberOf(node, "name") ?? node;
    const members: Member[] = [{ name: "name", value: name, line }];
    for (const [own, member] of membersOf(node)) {
      if (ownArguments.has(own.toLowerCase()) || own.startsWith("@")) continue;
      const value =
        own === "scope" ? this.#scope(member, values, turn) : values.read(member, turn, own);
      const isOfSecret = own === "properties" && isSecretEntry(declaration.type);
      const left = isOfSecret ? withoutSecretValue(value, values) : value;
      members.push({ name: own, value: left, line: member.line });
    }
    return [...members, ...placeOf(declaration, members)].map((member) => ({
      ...member,
      value: withOwnId(member.value, declaration, member.line),
    }));
  }

  /** The scope of an extension: the id of a resource in the template, or another value. */
  #scope(node: DataNode, values: ArmValues, turn: Turn): Expression {
    const read = values.read(node, turn);
    const found = values.objects.indexed(read, turn);
    const { line } = node;
    const id = found && values.objects.resource(found, ["id"], turn, line);
    if (id !== undefined) return id;
    const start = read.kind === "text" ? read.parts[0] : read;
    const isRelative = start?.kind === "literal" && !String(start.value).startsWith("/");
    // The name of a resource elsewhere is not an id. Without a scope the extension would apply to the whole group.
    return isRelative ? { kind: "opaque", text: "scope", references: [], line } : read;
  }

  #dependencies({
    node,
    file,
    values,
    turn,
    parent,
    around,
    address,
  }: ArmDeclaration): Dependency[] | undefined {
    if (this.#dependencyCount > MAX_DEPENDENCIES) return undefined;
    const found = new Map<string, Dependency>();
    const add = (to: string, line: number, from: string) => {
      if (to !== address && !found.has(to))
        found.set(to, { address: to, line, ...(from === file ? {} : { file: from }) });
    };
    if (parent !== undefined) add(parent, lineOf(node), file);
    for (const { at, line } of this.#dependedOn(node, values, turn)) add(at, line, file);
    for (let one: Around | undefined = around; one !== undefined; one = one.around)
      for (const { at, line } of this.#ofDeployment(one)) add(at, line, one.file);
    this.#dependencyCount += found.size;
    return [...found.values()];
  }

  /** The dependencies of a deployment, which all of its resources have. */
  #ofDeployment(around: Around): readonly DependedOn[] {
    const known = this.#ofDeployments.get(around);
    const found = known ?? this.#dependedOn(around.node, around.values, around.turn);
    this.#ofDeployments.set(around, found);
    return found;
  }

  #dependedOn(node: DataNode, values: ArmValues, turn: Turn): DependedOn[] {
    const written = memberOf(node, "dependsOn");
    const items = written?.kind === "list" ? written.items : [];
    const whole = written?.kind === "scalar" ? values.read(written, turn) : undefined;
    const named =
      whole?.kind === "list"
        ? whole.items.map((read) => ({ read, line: whole.kind === "list" ? lineOf(node) : 0 }))
        : items.map((item) => ({ read: values.read(item, turn), line: item.line }));
    return named.flatMap(({ read, line }) =>
      this.#addressesOf(read, values, turn).map((at) => ({ at, line })),
    );
  }

  #addressesOf(read: Expression, values: ArmValues, turn: Turn): readonly string[] {
    const first = read.kind === "text" ? read.parts[0] : read;
    const target = first?.kind === "call" && first.name === "[]" ? first.args[0] : first;
    if (target?.kind === "reference" && target.target.kind === "resource")
      return this.#madeBy(target.target.address);
    if (read.kind === "call" && read.name === "?:")
      return read.args.slice(1).flatMap((arg) => this.#addressesOf(arg, values, turn));
    const text = knownText(read);
    const loop = text === undefined ? undefined : this.#declarations.loop(values, text);
    if (loop !== undefined) return this.#copiesOf(loop);
    const found = values.objects.indexed(read, turn);
    return found === undefined ? [] : this.#madeBy(found.address);
  }

  /** A resource, or all that a nested deployment makes. */
  #madeBy(address: string): readonly string[] {
    const contents = this.#declarations.contents(address);
    return contents === undefined ? [address] : this.#copiesOf(contents);
  }

  #copiesOf(loop: readonly string[]): readonly string[] {
    this.#ofLoops += loop.length;
    return this.#ofLoops > MAX_OF_LOOPS ? loop.slice(0, 1) : loop;
  }

  #literalOf(node: DataNode, name: string, values: ArmValues, turn: Turn): string | undefined {
    const given = memberOf(node, name) ?? memberOf(node, name.toLowerCase());
    return given && knownText(values.read(given, turn));
  }
}

interface DependedOn {
  /** The address of a resource. */
  at: string;
  line: number;
}

const tooMuch = "The resources or conditions that it depends on are too many.";

/** The limit on the dependencies of one template with those nested in it. */
const MAX_DEPENDENCIES = 100_000;

/** The limit on dependencies on all copies of loops. Beyond it, the first copy stands for its loop. */
const MAX_OF_LOOPS = 20_000;

/** The properties of a secret in a store. */
function withoutSecretValue(properties: Expression, values: ArmValues): Expression {
  if (properties.kind !== "object") return properties;
  const members = properties.members.map((one) =>
    one.name === "value" ? { ...one, value: values.secret(one.value, one.line) } : one,
  );
  return { ...properties, members };
}

/** Writes out the resource's own id, which it cannot refer to. */
function withOwnId(of: Expression, declaration: ArmDeclaration, line: number): Expression {
  const { address, type, name, values, around } = declaration;
  const isOwn = (one: Expression) =>
    one.kind === "reference" &&
    one.target.kind === "resource" &&
    one.target.address === address &&
    one.path[0] === "id";
  if (!referencesIn(of).some(isOwn)) return of;
  const place =
    around?.group === undefined ? values.place : { ...values.place, group: around.group };
  const own = ownId(type, name, placeId(place, line), line);
  if (own === undefined) return of;
  const written = (one: Expression): Expression => {
    const [base] = one.kind === "call" && one.name === "[]" ? one.args : [];
    if (isOwn(one)) return own;
    if (base?.kind === "reference" && isOwn({ ...base, path: ["id"] })) return own;
    const made = withParts(one, written);
    return made.kind === "text" ? flatText(made.parts, line) : made;
  };
  return written(of);
}

/** `…/providers/A.B/c/x/d/y` of the type `A.B/c/d` and the name `x/y`. */
function ownId(
  type: string,
  name: Expression,
  place: Expression,
  line: number,
): Expression | undefined {
  const [space = "", ...kinds] = type.split("/");
  const names: Expression[][] = [[]];
  for (const part of name.kind === "text" ? name.parts : [name]) {
    const words = part.kind === "literal" ? String(part.value).split("/") : [];
    if (words.length === 0) names.at(-1)?.push(part);
    for (const [at, word] of words.entries()) {
      if (at > 0) names.push([]);
      if (word !== "") names.at(-1)?.push(literal(word));
    }
  }
  if (names.length !== kinds.length) return undefined;
  const parts = names.flatMap((own, at) => [literal(`/${kinds[at] ?? ""}/`), ...own]);
  const all = [place, literal(`/providers/${space}`), ...parts];
  return all.every(isTextPart) ? flatText(all, line) : undefined;
}

function whyNotDrafted({ again, isUncounted }: ArmDeclaration): string | undefined {
  if (again !== undefined)
    return `It changes the object of ${again} again: a draft has one resource for an object.`;
  return isUncounted ? "The number of its objects cannot be read." : undefined;
}

/** The resource group of a nested deployment, or the scope of a template above groups. */
function placeOf(
  { type, node, values, around }: ArmDeclaration,
  members: readonly Member[],
): Member[] {
  const line = lineOf(node);
  const kinds = type.split("/").length;
  const isPlaced = members.some(({ name }) => /^(?:scope|parent|resourceGroup)$/.test(name));
  if (isPlaced || kinds > 2 || type.toLowerCase() === "microsoft.resources/resourcegroups")
    return [];
  const { level } = values.place;
  if (level === "resourceGroup") {
    const group = around?.group;
    return group === undefined ? [] : [{ name: "resourceGroup", value: group, line }];
  }
  const id = level === "tenant" ? literal("/") : placeId(values.place, line);
  return [{ name: "scope", value: id, line }];
}

/** The parts of a resource, beside its properties, that a draft has no form for. */
function optionsOf({ node, around, address }: ArmDeclaration): SourceOption[] {
  const options: SourceOption[] = [];
  const loop = memberOf(node, "copy");
  const add = (name: string, reason: string, at: DataNode) =>
    options.push({ name, line: lineOf(at), kind: "left out", reason });
  if (/^serial$/i.test(textIn(memberOf(loop, "mode")) ?? "") && loop !== undefined)
    add("copy.mode", "The objects of a loop are made at the same time.", loop);
  for (const [name, value] of membersOf(memberOf(node, "@options")))
    add(`@options.${name}`, "A draft has no such option.", value);
  const properties = memberOf(around?.node, "properties");
  const mode = memberOf(properties, "mode");
  if (/^complete$/i.test(textIn(mode) ?? "") && mode !== undefined)
    add(
      `${around?.address ?? address} mode`,
      "Objects that the template does not have are not deleted.",
      mode,
    );
  const onError = memberOf(properties, "onErrorDeployment");
  if (onError !== undefined)
    add(
      `${around?.address ?? address} onErrorDeployment`,
      "A failed run does not deploy another version.",
      onError,
    );
  const subscription = memberOf(around?.node, "subscriptionId");
  if (subscription !== undefined && !/^\[subscription\(\)/i.test(textIn(subscription) ?? ""))
    add(
      `${around?.address ?? address} subscriptionId`,
      "A target is of one subscription: deploy it as an instance of its own.",
      subscription,
    );
  return options;
}
