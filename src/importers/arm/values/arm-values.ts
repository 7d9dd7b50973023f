import { type ArmNode, isArmExpression, unescapedArm } from "#importers/arm/arm-syntax.ts";
import { literal, referencesIn, type Expression, type Member } from "#importers/expression.ts";
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
import { type ArmNames, copiesIn, keyOf } from "./arm-names.ts";
import { type DeploymentPlace, placeMeaning } from "./arm-place.ts";
import type { ArmReading } from "./arm-reading.ts";
import { idMeaning } from "./arm-resource-ids.ts";
import type { ArmResources } from "./arm-resource-index.ts";
import { partAt, stepped } from "./arm-steps.ts";
import { type CopyIndex, ofNumber, type Turn, withValueCopy } from "./arm-turn.ts";
import type { CalledNode, CallNode } from "./functions/arm-call.ts";
import type { ArmFunction } from "./functions/arm-function.ts";
import { type Lambda, lambdaIn, lambdaMeaning, takesLambda } from "./functions/lambda-functions.ts";
import { listFunctions } from "./functions/list-functions.ts";
import { numberFunctions } from "./functions/number-functions.ts";
import { textFunctions } from "./functions/text-functions.ts";
import { call, itemOf, list, numberIn, textIn as knownText } from "./known-values.ts";
import { madeList } from "./made-values.ts";
import { type Given, NamedValues } from "./named-values.ts";
import { nodeSize } from "./node-size.ts";
import { type NestedOutputs, ObjectValues } from "./object-values.ts";
import { asDeclared, asSecret } from "./secret-values.ts";
import { opaque, untranslated } from "./untranslated.ts";

const MAX_DEPTH = 200;
const MAX_COPIED = 500;
/** The steps for a call without its arguments. */
const COST = 3;
/** The steps for a value in one turn of a loop. */
const STEPS_OF_COPY = 2;

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
  /** What the template's variables and parameters stand for. */
  readonly named: NamedValues;
  /** What it says of resources. */
  readonly objects: ObjectValues;

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
    this.named = new NamedValues(of.names, this, of.given);
    this.objects = new ObjectValues(of);
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
          return opaque("…", [], node.line, this.reading);
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
    if (input === undefined || count === undefined) return opaque("copy", [], line, this.reading);
    const known = numberIn(count);
    const isRead = known === undefined || (known > 0 && known <= MAX_COPIED);
    if (known !== undefined && (isRead || !reading.findsSecrets)) {
      const isWithin = Number.isInteger(known) && known >= 0 && known <= MAX_COPIED;
      if (!isWithin || !reading.spend(STEPS_OF_COPY * known * nodeSize(input)))
        return opaque("copy", [], line, this.reading);
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
    if (node === undefined) return opaque(text, [], line, this.reading);
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
      return opaque(`[${node.name}(…)]`, [], line, this.reading);
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
      return untranslated(node, parts, line, this.reading);
    }
    if (reading.fits(made)) return made;
    reading.cut();
    return untranslated(node, [], line, this.reading);
  }

  /** The value of a call with its path; undefined: its meaning is not known here. */
  #meaning(called: CalledNode): Expression | undefined {
    const { node } = called;
    const name = node.name.toLowerCase();
    const special = this.#special(name, called);
    if (special === "none") return undefined;
    if (special !== undefined) return special;
    const made = this.#called(name, called);
    return made && stepped(made, called, this.reading);
  }

  /** Calls whose meaning depends on their path or place. `none`: they have none here. */
  #special(name: string, called: CalledNode): Expression | "none" | undefined {
    const { args, turn } = called;
    const named = knownText(args[0])?.toLowerCase() ?? "";
    switch (name) {
      case "parameters":
        return this.named.parameter(named, called) ?? "none";
      case "variables":
        return (
          (named === "" && args[0] !== undefined
            ? this.named.variableOf(args[0], called)
            : this.named.variable(named, called)) ?? "none"
        );
      case "lambdavariables": {
        const item = turn.items?.get(named);
        return (item && stepped(item, called, this.reading)) ?? "none";
      }
      case "copyindex":
        return this.#copyIndex(called) ?? "none";
      case "reference":
        return this.objects.referenced(called);
      default:
        if (/^list[a-z0-9]*$/.test(name)) return this.objects.listed(called);
        return placeMeaning(name, called, this.objects);
    }
  }

  #called(name: string, { node, args, line, turn }: CalledNode): Expression | undefined {
    const own = this.names.functions.get(name);
    if (own !== undefined) return this.#userDefined(own, args);
    if (takesLambda(name)) return this.#lambda(name, node, args[0], line, turn);
    if (args.some(isHidden)) return hidden(line);
    if (name.endsWith("resourceid"))
      return idMeaning(name, args, { line, turn, values: this.objects });
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
}

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
