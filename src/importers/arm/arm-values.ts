import {
  literal,
  referencesIn,
  type Expression,
  type Member,
  type ReferenceExpression,
} from "#importers/expression.ts";
import {
  hidden,
  holdsSecret,
  isHidden,
  isSecretSetting,
  withoutLiterals,
} from "#importers/hidden-values.ts";
import {
  memberOf,
  textIn,
  type DataList,
  type DataMap,
  type DataNode,
} from "#importers/text/data-node.ts";
import {
  type ArmNames,
  copiesIn,
  type Declared,
  isNullable,
  isSecureType,
  keyOf,
} from "./arm-names.ts";
import { type DeploymentPlace, placeId, placeMeaning } from "./arm-place.ts";
import type { ArmReading } from "./arm-reading.ts";
import { idMeaning } from "./arm-resource-ids.ts";
import type { ArmResources, Indexed } from "./arm-resource-index.ts";
import { partAt, type Step } from "./arm-steps.ts";
import { type ArmNode, isArmExpression, unescapedArm } from "./arm-syntax.ts";
import { type CopyIndex, ofNumber, start, type Turn, withValueCopy } from "./arm-turn.ts";
import type { CalledNode, CallNode } from "./functions/arm-call.ts";
import type { ArmFunction } from "./functions/arm-function.ts";
import { type Lambda, lambdaIn, lambdaMeaning, takesLambda } from "./functions/lambda-functions.ts";
import { listFunctions } from "./functions/list-functions.ts";
import { numberFunctions } from "./functions/number-functions.ts";
import { textFunctions } from "./functions/text-functions.ts";
import { call, itemOf, list, numberIn, textIn as knownText } from "./known-values.ts";
import { madeList } from "./made-values.ts";
import { nodeSize } from "./node-size.ts";
import { keyInLoops } from "./open-loops.ts";
import { asDeclared, asSecret } from "./secret-values.ts";

/** A parameter's value in the deployment of its template. */
export interface Argument {
  name: string;
  line: number;
  read: () => Expression;
}

/** A nested template's side of its deployment. */
export interface Given {
  /** The values of its parameters, by lower case. */
  arguments: ReadonlyMap<string, Argument>;
  /** The start of the names of its variables and parameters. */
  prefix: string;
  /** Whether a file has other values of its parameters. */
  hasFile: boolean;
}

/** The values of names. Null: the value is being read. */
interface KnownValues {
  variables: Map<string, Expression | null>;
  parameters: Map<string, Expression | null>;
}

function noValues(): KnownValues {
  return { variables: new Map(), parameters: new Map() };
}

/** The outputs of a nested deployment, by its address. */
export type NestedOutputs = (address: string, name: string) => Expression | undefined;

const MAX_TEXT = 256;
const MAX_DEPTH = 200;
const MAX_COPIED = 500;
const MAX_TABLE = 20;
/** The steps for a call without its arguments. */
const COST = 3;
/** The steps for a value in one turn of a loop. */
const STEPS_OF_COPY = 2;
/** The names of variables that one step compares. */
const NAMES_IN_STEP = 8;

const functions: ReadonlyMap<string, ArmFunction> = new Map([
  ...textFunctions,
  ...listFunctions,
  ...numberFunctions,
]);

/** Reads the values of one template. */
export class ArmValues {
  readonly names: ArmNames;
  readonly resources: ArmResources;
  readonly reading: ArmReading;
  readonly place: DeploymentPlace;
  readonly #given: Given | undefined;
  readonly #outputs: NestedOutputs;
  /** Values in which other names are written out, and those in which they stay. */
  #writtenOut = noValues();
  #named = noValues();

  /** `resources` may be filled later. Until then, references to them are read as calls. */
  constructor(of: {
    names: ArmNames;
    resources: ArmResources;
    reading: ArmReading;
    place: DeploymentPlace;
    given?: Given;
    outputs: NestedOutputs;
  }) {
    this.names = of.names;
    this.resources = of.resources;
    this.reading = of.reading;
    this.place = of.place;
    this.#given = of.given;
    this.#outputs = of.outputs;
  }

  /** Forgets the values that were read before all resources were known. */
  forget(): void {
    this.#writtenOut = noValues();
    this.#named = noValues();
  }

  get #known(): KnownValues {
    return this.reading.keepsNames ? this.#named : this.#writtenOut;
  }

  /**
   * Converts a value to an expression. A text is hidden if it is a secret by itself or by `name`, the name of its
   * setting.
   */
  read(node: DataNode, turn: Turn, name = ""): Expression {
    switch (node.kind) {
      case "scalar": {
        const { value, line } = node;
        const read = typeof value === "string" ? this.#text(value, line, turn) : literal(value);
        return isSecretSetting(name) ? withoutLiterals(read, line) : read;
      }
      case "alias":
        return { kind: "opaque", text: "", references: [], line: node.line };
      case "list":
      case "map": {
        const { reading } = this;
        if (reading.depth >= MAX_DEPTH) {
          reading.cut();
          return this.#opaque("…", [], node.line);
        }
        reading.depth += 1;
        const made =
          node.kind === "map" ? this.#map(node, turn, name) : this.#list(node, turn, name);
        reading.depth -= 1;
        return made;
      }
    }
  }

  #list({ items, line }: DataList, turn: Turn, name: string): Expression {
    return madeList(
      items.map((item) => this.read(item, turn, name)),
      line,
    );
  }

  /** `around`: the name of the map, or of the list that it is in. */
  #map(node: DataMap, turn: Turn, around: string): Expression {
    // A named pair, as in application settings: `{ name: DB_PASSWORD, value: … }`.
    const named = textIn(memberOf(node, "name")) ?? "";
    const isPairOfSecret = isSecretSetting(named) || /secrets$/i.test(around);
    const members: Member[] = [];
    for (const [written, member] of node.members) {
      const { line } = member;
      const made = written === "copy" ? this.#copied(member, turn) : [];
      for (const property of made) members.push(property);
      if (made.length > 0) continue;
      const name = this.#nameOf(written, line, turn);
      const value = this.#identities(name, member, turn) ?? this.read(member, turn, name);
      const isSecret = name === "value" && isPairOfSecret;
      members.push({ name, value: isSecret ? this.secret(value, line) : value, line });
    }
    // A property of a `copy` wins over another with its name.
    const unique = new Map(members.map((member) => [member.name, member]));
    return { kind: "object", members: [...unique.values()] };
  }

  /** A value in a place of secrets. Finding them marks what it refers to. */
  secret(value: Expression, line: number): Expression {
    return this.reading.keepsNames ? asSecret(value, line) : withoutLiterals(value, line);
  }

  /** The name of a member, which may be an expression. */
  #nameOf(written: string, line: number, turn: Turn): string {
    if (!isArmExpression(written)) return unescapedArm(written);
    return knownText(this.#text(written, line, turn)) ?? written;
  }

  /** Converts a map whose keys are ids to the list of these ids, which may be expressions. */
  #identities(name: string, node: DataNode, turn: Turn): Expression | undefined {
    if (name !== "userAssignedIdentities" || node.kind !== "map") return undefined;
    return list([...node.members.keys()].map((id) => this.#text(id, node.line, turn)));
  }

  /** The properties that a `copy` in an object declares: lists of `count` items. */
  #copied(node: DataNode, turn: Turn): Member[] {
    return copiesIn(node).map(({ name, item }) => ({
      name,
      value: this.copies(item, name, turn),
      line: item.line,
    }));
  }

  /** The list that a `copy` of a property, a variable or an output makes. */
  copies(item: DataNode, name: string, turn: Turn): Expression {
    const { line } = item;
    const { reading } = this;
    const input = memberOf(item, "input");
    const given = memberOf(item, "count");
    const count = given && reading.writtenOut(() => this.read(given, turn));
    if (input === undefined || count === undefined) return this.#opaque("copy", [], line);
    const known = numberIn(count);
    const isRead = known === undefined || (known > 0 && known <= MAX_COPIED);
    if (known !== undefined && (isRead || !reading.findsSecrets)) {
      const isWithin = Number.isInteger(known) && known >= 0 && known <= MAX_COPIED;
      if (!isWithin || !reading.spend(STEPS_OF_COPY * known * nodeSize(input)))
        return this.#opaque("copy", [], line);
      return list(
        Array.from({ length: known }, (_, at) =>
          this.read(input, withValueCopy(turn, name, ofNumber(at)), name),
        ),
      );
    }
    const own = this.fresh(name, turn);
    const over = countedList(count);
    const number = itemOf(`${own} index`, line);
    const index: CopyIndex = { number };
    if (over === undefined) {
      const value = this.read(input, withValueCopy(turn, name, index), name);
      const of = call("range", [count], line);
      return { kind: "for", names: [`${own} index`], of, value, isGrouped: false, line };
    }
    const key = keyOf(over);
    const inTurn = {
      ...index,
      over: key === undefined ? undefined : { key, item: itemOf(own, line) },
    };
    const value = this.read(input, withValueCopy(turn, name, inTurn), name);
    return { kind: "for", names: [`${own} index`, own], of: over, value, isGrouped: false, line };
  }

  #text(text: string, line: number, turn: Turn): Expression {
    if (!isArmExpression(text)) {
      const meant = unescapedArm(text);
      return holdsSecret(meant) ? hidden(line) : literal(meant);
    }
    const node = this.reading.parsed(text);
    if (node === undefined) return this.#opaque(text, [], line);
    const made = this.evaluate(node, line, turn);
    const isSecret = made.kind === "literal" && holdsSecret(String(made.value));
    return isSecret ? hidden(line) : made;
  }

  /** The value of an expression. */
  evaluate(node: ArmNode, line: number, turn: Turn): Expression {
    if (node.kind === "literal")
      return typeof node.value === "string" && holdsSecret(node.value)
        ? hidden(line)
        : literal(node.value);
    const { reading } = this;
    if (reading.depth >= MAX_DEPTH || !reading.spend(COST)) {
      reading.cut();
      return this.#opaque(`[${node.name}(…)]`, [], line);
    }
    reading.depth += 1;
    const made = this.#evaluated(node, line, turn);
    reading.depth -= 1;
    return made;
  }

  #evaluated(node: CallNode, line: number, turn: Turn): Expression {
    const { reading } = this;
    const steps = node.path.map((step) => ({
      value: reading.writtenOut(() => this.evaluate(step.node, line, turn)),
      isOptional: step.isOptional,
    }));
    // Evaluated once: evaluating nested arguments again at each level would take exponential time.
    const name = node.name.toLowerCase();
    const isOfLambda = takesLambda(name);
    const given = isOfLambda ? node.args.slice(0, 1) : node.args;
    const evaluated = () => given.map((arg) => this.evaluate(arg, line, turn));
    const args = isLookup(name) ? reading.writtenOut(evaluated) : evaluated();
    const called: CalledNode = { node, args, steps, line, turn };
    const made = this.#meaning(called);
    if (made === undefined) {
      const bodies = isOfLambda && reading.keepsNames ? this.#bodiesIn(called) : [];
      const parts = [...args, ...steps.map(({ value }) => value), ...bodies];
      return this.#untranslated(node, parts, line);
    }
    if (reading.fits(made)) return made;
    reading.cut();
    return this.#untranslated(node, [], line);
  }

  /** The value of a call with its path; undefined: its meaning is not known here. */
  #meaning(called: CalledNode): Expression | undefined {
    const { node, steps, line, turn } = called;
    const name = node.name.toLowerCase();
    const special = this.#special(name, called);
    if (special === "none") return undefined;
    if (special !== undefined) return special;
    const made = this.#called(name, called);
    return made && this.#stepped(made, steps, line, turn);
  }

  /** A part of a value. In a loop over a list, the item at the current index is the loop's own. */
  #stepped(
    of: Expression,
    steps: readonly Step[],
    line: number,
    turn: Turn,
  ): Expression | undefined {
    for (const [at, step] of steps.entries()) {
      const index = [...turn.copy.values()].find(
        ({ number, over }) => over !== undefined && number === step.value,
      );
      if (index?.over === undefined) continue;
      const before = partAt(of, steps.slice(0, at), { line, spend: this.reading.spend });
      if (before === undefined || keyOf(before) !== index.over.key) continue;
      return this.#stepped(index.over.item, steps.slice(at + 1), line, turn);
    }
    return partAt(of, steps, { line, spend: this.reading.spend });
  }

  /** Calls whose meaning depends on their path or place. `none`: they have none here. */
  #special(name: string, called: CalledNode): Expression | "none" | undefined {
    const { args, steps, line, turn } = called;
    const named = knownText(args[0])?.toLowerCase() ?? "";
    switch (name) {
      case "parameters":
        return this.#parameter(named, steps, line, turn) ?? "none";
      case "variables":
        return (
          (named === "" && args[0] !== undefined
            ? this.#variableOf(args[0], steps, line, turn)
            : this.#variable(named, steps, line, turn)) ?? "none"
        );
      case "lambdavariables": {
        const item = turn.items?.get(named);
        return (item && this.#stepped(item, steps, line, turn)) ?? "none";
      }
      case "copyindex":
        return this.#copyIndex(called) ?? "none";
      case "reference":
        return this.#referenced(called);
      default:
        if (/^list[a-z0-9]*$/.test(name)) return this.#listed(called);
        return placeMeaning(name, called, this);
    }
  }

  #called(name: string, { node, args, line, turn }: CalledNode): Expression | undefined {
    const own = this.names.functions.get(name);
    if (own !== undefined) return this.#userDefined(own, args);
    if (takesLambda(name)) return this.#lambda(name, node, args[0], line, turn);
    if (args.some(isHidden)) return hidden(line);
    if (name.endsWith("resourceid")) return idMeaning(name, args, { line, turn, values: this });
    const { typeOf, spend, keepsNames } = this.reading;
    if (!this.reading.spendOn(args)) return undefined;
    if (name === "tryget") return tryGet(args, { line, typeOf, spend });
    // Both values of a choice are read to find the secrets in them.
    if (name === "if" && keepsNames && args.length === 3) return call("?:", args, line);
    return functions.get(name)?.(args, { line, typeOf, spend });
  }

  /** The bodies of the lambdas in a call, for any items. */
  #bodiesIn({ node, line, turn }: CalledNode): Expression[] {
    return node.args.flatMap((arg) => {
      const lambda = lambdaIn(arg);
      if (lambda === undefined) return [];
      const items = new Map(turn.items);
      for (const name of lambda.names) items.set(name.toLowerCase(), itemOf(name, line));
      return [this.evaluate(lambda.body, line, { ...turn, items })];
    });
  }

  #lambda(
    name: string,
    node: CallNode,
    of: Expression | undefined,
    line: number,
    turn: Turn,
  ): Expression | undefined {
    const [, ...others] = node.args;
    if (of === undefined) return undefined;
    const initial =
      name === "reduce" && others[0] ? this.evaluate(others[0], line, turn) : undefined;
    const bodyFor = ({ names, body }: Lambda, values: readonly Expression[]) => {
      const items = new Map(turn.items);
      for (const [at, one] of names.entries()) {
        const value = values[at];
        if (value !== undefined) items.set(one.toLowerCase(), value);
      }
      return this.evaluate(body, line, { ...turn, items });
    };
    const fresh = (wanted: string) => this.fresh(wanted, turn);
    const place = { line, spend: this.reading.spend, fresh, bodyFor };
    return lambdaMeaning(name, of, others, place, initial);
  }

  /** A name that no item of a surrounding loop has. */
  fresh(wanted: string, { items, copy }: Turn): string {
    const around = [...(items?.values() ?? []), ...[...copy.values()].map(({ number }) => number)];
    this.reading.spendOn(around);
    const taken = new Set(
      around.flatMap((one) =>
        referencesIn(one).map(({ target }) => (target.kind === "item" ? target.name : "")),
      ),
    );
    let name = wanted;
    for (let number = 2; taken.has(name) || taken.has(`${name} index`); number += 1)
      name = `${wanted}${number}`;
    return name;
  }

  #userDefined(of: DataNode, args: readonly Expression[]): Expression | undefined {
    const body = memberOf(memberOf(of, "output"), "value");
    const declared = memberOf(of, "parameters");
    if (body === undefined || !this.reading.spend(nodeSize(body))) return undefined;
    const given = new Map<string, Expression>();
    for (const [at, one] of (declared?.kind === "list" ? declared.items : []).entries()) {
      const arg = args[at];
      const name = textIn(memberOf(one, "name")) ?? "";
      if (arg !== undefined) given.set(name.toLowerCase(), asDeclared(name, one, arg));
    }
    return this.read(body, { copy: new Map(), given });
  }

  #parameter(
    named: string,
    steps: readonly Step[],
    line: number,
    turn: Turn,
  ): Expression | undefined {
    const given = turn.given?.get(named);
    if (turn.given !== undefined) return given && this.#stepped(given, steps, line, turn);
    const declared = this.names.parameters.get(named);
    if (declared === undefined) return undefined;
    if (this.#given === undefined)
      return this.#stepped(
        { kind: "reference", target: { kind: "variable", name: declared.name }, path: [], line },
        steps,
        line,
        turn,
      );
    const value = this.reading.keepsNames
      ? localOf(this.parameterLocal(declared), line)
      : this.argument(named, declared);
    return value && this.#stepped(value, steps, line, turn);
  }

  /** The name of a nested template's parameter among the locals of its module. */
  parameterLocal({ name }: Declared): string {
    return `${this.prefix}parameter ${name}`;
  }

  /** The name of a variable among the locals of its module. */
  variableLocal({ name }: Declared): string {
    return `${this.prefix}${name}`;
  }

  /** The start of the template's names in its module. */
  get prefix(): string {
    return this.#given?.prefix ?? "";
  }

  /** The value of a nested template's parameter; undefined: it has none, or refers to itself. */
  argument(named: string, { name, node }: Declared): Expression | undefined {
    const given = this.#given;
    if (given === undefined) return undefined;
    const { parameters } = this.#known;
    const known = parameters.get(named);
    if (known !== undefined) return known ?? undefined;
    parameters.set(named, null);
    const initial = memberOf(node, "defaultValue");
    const argument = given.arguments.get(named);
    const plain =
      argument?.read() ??
      (initial ? this.read(initial, start) : undefined) ??
      (isNullable(node) ? literal(null) : this.#notGiven(named, { name, node }));
    const own = plain && this.reading.withoutSecrets(node, plain);
    const value = own && asDeclared(name, node, own);
    // A name that stays is not written out.
    const { reading } = this;
    if (value === undefined || !(reading.keepsNames || reading.writesOut(value))) {
      parameters.delete(named);
      return undefined;
    }
    parameters.set(named, value);
    return value;
  }

  /** A nested parameter whose value is in another file. */
  #notGiven(named: string, { name, node }: Declared): Expression | undefined {
    if (this.#given?.hasFile !== true) return undefined;
    const asked = this.reading.askedName(name, `${this.prefix}parameter ${named}`);
    const given = [literal(asked), literal(null), literal(true)];
    return call("pseudo", isSecureType(node) ? given : given.slice(0, 1), node.line);
  }

  #variable(
    named: string,
    steps: readonly Step[],
    line: number,
    turn: Turn,
  ): Expression | undefined {
    const declared = this.names.variables.get(named);
    if (declared === undefined) return undefined;
    const reference = localOf(this.variableLocal(declared), line);
    if (this.reading.keepsNames) return this.#stepped(reference, steps, line, turn);
    const value = this.valueOf(named, declared);
    if (value === undefined) return undefined;
    const part = this.#stepped(value, steps, line, turn);
    if (part === undefined) return undefined;
    return this.reading.writesOut(part) ? part : this.#stepped(reference, steps, line, turn);
  }

  /** The variable of a computed name: a table of those that may be meant. */
  #variableOf(
    name: Expression,
    steps: readonly Step[],
    line: number,
    turn: Turn,
  ): Expression | undefined {
    const parts = name.kind === "text" ? name.parts : [name];
    const from = knownText(parts[0])?.toLowerCase() ?? "";
    const to = knownText(parts.at(-1))?.toLowerCase() ?? "";
    if (!this.reading.spend(this.names.variables.size / NAMES_IN_STEP)) return undefined;
    const members: Member[] = [];
    for (const [key, declared] of this.names.variables) {
      if (!key.startsWith(from) || !key.endsWith(to) || this.#known.variables.get(key) === null)
        continue;
      const value = this.#variable(key, [], line, turn);
      if (value === undefined || members.length === MAX_TABLE) return undefined;
      members.push({ name: declared.name, value, line });
    }
    return this.#stepped(
      { kind: "object", members },
      [{ value: name, isOptional: false }, ...steps],
      line,
      turn,
    );
  }

  /** The value of a variable; undefined: it refers to itself. */
  valueOf(named: string, { name, node, isCopy = false }: Declared): Expression | undefined {
    const { variables } = this.#known;
    const known = variables.get(named);
    if (known !== undefined) return known ?? undefined;
    variables.set(named, null);
    const read = isCopy ? this.copies(node, name, start) : this.read(node, start, name);
    const made = this.reading.withoutSecrets(node, read);
    variables.set(named, made);
    return made;
  }

  /** `copyIndex()`, `copyIndex(offset)`, `copyIndex('loop', offset)`. */
  #copyIndex({ args, line, turn }: CalledNode): Expression | undefined {
    let name = "";
    let offset: Expression = literal(0);
    for (const arg of args)
      if (knownText(arg) === undefined) offset = arg;
      else name = knownText(arg)?.toLowerCase() ?? "";
    const index = turn.copy.get(name)?.number;
    if (index === undefined || numberIn(offset) === 0) return index;
    const [known, added] = [numberIn(index), numberIn(offset)];
    return known === undefined || added === undefined
      ? call("+", [index, offset], line)
      : literal(known + added);
  }

  #referenced(called: CalledNode): Expression | "none" {
    const { args, steps, line, turn } = called;
    const [first, , full] = args;
    const isFull = knownText(full)?.toLowerCase() === "full";
    const found = first && this.indexed(first, turn);
    if (found === undefined) return this.#inLoop(first, isFull, called) ?? this.asked(called);
    const literals = steps.map(({ value }) => knownText(value) ?? numberIn(value));
    const [outputs, name, value] = literals;
    if (!isFull && outputs === "outputs" && typeof name === "string" && value === "value") {
      const output = this.#outputs(found.address, name);
      if (output !== undefined) return this.#stepped(output, steps.slice(3), line, turn) ?? "none";
    }
    const base = this.resource(found, isFull ? [] : ["properties"], turn, line);
    return (base && this.#stepped(base, steps, line, turn)) ?? "none";
  }

  /** A reference to one object of an open loop by its symbolic name: `vms[0]`. */
  #inLoop(
    given: Expression | undefined,
    isFull: boolean,
    { steps, line, turn }: CalledNode,
  ): Expression | undefined {
    const [, name, index] = /^([^[]+)\[(\d{1,6})\]$/.exec(knownText(given) ?? "") ?? [];
    const found = name === undefined ? undefined : this.resources.symbolic(name);
    if (found?.loops !== 1 || found.isMapped) return undefined;
    const target = { kind: "resource", address: found.address } as const;
    const path = [Number(index), ...(isFull ? [] : ["properties"])];
    return this.#stepped({ kind: "reference", target, path, line }, steps, line, turn);
  }

  /** `listKeys(…)` and its like: secrets of an object. */
  #listed(called: CalledNode): Expression | "none" {
    const { node, args, steps, line, turn } = called;
    const [first] = args;
    const found = first && this.indexed(first, turn);
    const outputs = listOutputs.get(`${node.name.toLowerCase()} ${found?.type ?? ""}`);
    if (found !== undefined && outputs !== undefined) {
      const base = this.resource(found, outputs, turn, line);
      const made = base && this.#stepped(base, steps, line, turn);
      if (made !== undefined) return made;
    }
    return this.asked(called, { isSecret: true });
  }

  /** The resource that an id or a name stands for. */
  indexed(given: Expression, turn: Turn): Indexed | undefined {
    if (given.kind === "reference" && given.target.kind === "resource") {
      const isId = given.path.length === 1 && given.path[0] === "id";
      return isId ? this.resources.at(given.target.address) : undefined;
    }
    const [of, , last] = given.kind === "call" && given.name === "[]" ? given.args : [];
    if (of?.kind === "reference" && of.target.kind === "resource" && knownText(last) === "id")
      return this.resources.at(of.target.address);
    return (
      this.resources.named(given) ??
      this.#ofSymbolicLoop(given, turn) ??
      this.#withinPlace(given, turn)
    );
  }

  /** The resource of an id that is written out in the place of the template. */
  #withinPlace(given: Expression, turn: Turn): Indexed | undefined {
    const place = placeId(this.place, 0);
    const start = place.kind === "text" ? place.parts : [place];
    const parts = given.kind === "text" ? given.parts : [given];
    const isWithin = start.every((part, at) => {
      const own = parts[at];
      return own !== undefined && keyOf(own) === keyOf(part);
    });
    const rest = parts.slice(start.length);
    if (!isWithin || rest.length === 0) return undefined;
    const [first] = rest;
    const found = this.resources.named(
      rest.length === 1 && first ? first : { kind: "text", parts: rest },
    );
    return (found?.loops ?? 0) > (turn.depth ?? 0) ? undefined : found;
  }

  /** The resource of `format('vm[{0}]', copyIndex())`, by its symbolic name. */
  #ofSymbolicLoop(given: Expression, { copy }: Turn): Indexed | undefined {
    const [name, index, end] = given.kind === "text" ? given.parts : [];
    const symbolic = /^([^[]+)\[$/.exec(knownText(name) ?? "")?.[1];
    if (symbolic === undefined || knownText(end) !== "]") return undefined;
    const found = this.resources.symbolic(symbolic);
    const isOwn = [...copy.values()].some(({ number }) => number === index);
    return (found?.loops ?? 0) > 0 && isOwn ? found : undefined;
  }

  /** A reference to a resource, or to the one of its loops with the current indexes. */
  resource(
    { address, loops, isMapped }: Indexed,
    path: readonly (string | number)[],
    { depth = 0 }: Turn,
    line: number,
  ): Expression | undefined {
    const target = { kind: "resource", address } as const;
    if (loops === 0) return { kind: "reference", target, path, line };
    const of: Expression = { kind: "reference", target, path: [], line };
    return loops > depth
      ? undefined
      : call("[]", [of, keyInLoops(loops, isMapped, line), ...path.map(literal)], line);
  }

  /** A value that only Azure knows: the draft asks for it once. */
  asked(
    { node, args, steps, line }: CalledNode,
    { isSecret: isKnown = false, initial }: { isSecret?: boolean; initial?: string } = {},
  ): Expression {
    const isSecret = isKnown || steps.some(({ value }) => isSecretSetting(knownText(value) ?? ""));
    // One answer cannot stand for every turn of a loop.
    if (args.some(readsItem)) return this.#untranslated(node, args, line);
    const name = this.reading.askedName(spelled(node), keyOf(list(args)));
    const given = [literal(name), literal(initial ?? null), literal(isSecret)];
    return call("pseudo", given.slice(0, isSecret ? 3 : initial === undefined ? 1 : 2), line);
  }

  #untranslated(node: CallNode, args: readonly Expression[], line: number): Expression {
    if (node.path.length > 0) {
      const written = node.path.map(({ node: step }) =>
        step.kind === "literal" && typeof step.value === "string" ? `.${step.value}` : "[…]",
      );
      return this.#opaque(`[${node.name}(…)${written.join("")}]`, args, line);
    }
    return call(`ARM ${node.name}`, args, line);
  }

  #opaque(text: string, parts: readonly Expression[], line: number): Expression {
    // Values occur several times in others, with the same references.
    const references = new Set<ReferenceExpression>();
    this.reading.spendOn(parts);
    for (const part of parts) for (const one of referencesIn(part)) references.add(one);
    return { kind: "opaque", text: shown(text), references: [...references], line };
  }
}

function readsItem(of: Expression): boolean {
  return referencesIn(of).some(({ target }) => target.kind === "item");
}

/** Our outputs with the keys that `list…` returns. */
const listOutputs: ReadonlyMap<string, readonly string[]> = new Map([
  ["listkeys microsoft.storage/storageaccounts", []],
  ["listcredentials microsoft.containerregistry/registries", ["credentials"]],
]);

/** The list in `length(list)`. */
export function countedList(count: Expression): Expression | undefined {
  const [of] = count.kind === "call" && count.name === "length" ? count.args : [];
  return of;
}

/** `tryGet(value, 'a', 0)`: null where the value lacks the part. */
const tryGet: ArmFunction = ([of, ...keys], place) => {
  const steps = keys.map((value) => ({ value, isOptional: true }));
  return of && partAt(of, steps, place);
};

/** Whether the arguments of a call select a declared thing or a value that only Azure knows: they are no values. */
function isLookup(name: string): boolean {
  return /^(?:parameters|variables|reference|list[a-z0-9]*)$|resourceid$/.test(name);
}

export function localOf(name: string, line: number): Expression {
  return { kind: "reference", target: { kind: "local", name }, path: [], line };
}

/** The names in a call, for a config value: `uniqueString resourceGroup id`. Literals may be secrets. */
function spelled(node: ArmNode, depth = 0): string {
  if (node.kind === "literal") return "";
  const isName = /^(?:parameters|variables|lambdaVariables)$/i.test(node.name);
  const [first] = node.args;
  const own = isName && first?.kind === "literal" ? String(first.value) : node.name;
  const inner = depth > 2 || isName ? [] : node.args.map((arg) => spelled(arg, depth + 1));
  const path = node.path.map(({ node: step }) =>
    step.kind === "literal" ? String(step.value) : spelled(step, depth + 1),
  );
  return [own, ...inner, ...path]
    .filter((word) => word !== "")
    .join(" ")
    .slice(0, MAX_SPELLED);
}

const MAX_SPELLED = 80;

function shown(text: string): string {
  return holdsSecret(text) ? "" : text.slice(0, MAX_TEXT);
}
