/** ARM's functions that take a lambda. */
import type { ArmNode } from "#importers/arm/arm-syntax.ts";
import { itemOf, list, numberIn, textIn, truthIn } from "#importers/arm/values/known-values.ts";
import { madeObject } from "#importers/arm/values/made-values.ts";
import { type Expression, literal, type Member } from "#importers/expression.ts";

export interface LambdaPlace {
  line: number;
  /** The value of a lambda's body for the values of its parameters. */
  bodyFor: (lambda: Lambda, values: readonly Expression[]) => Expression;
  /** A name for a parameter that no surrounding lambda has. */
  fresh: (name: string) => string;
  spend: (steps: number) => boolean;
}

export interface Lambda {
  names: readonly string[];
  body: ArmNode;
}

/** The lambda in an argument: `lambda('x', lambdaVariables('x'))`. */
export function lambdaIn(node: ArmNode | undefined): Lambda | undefined {
  if (node?.kind !== "call" || node.name.toLowerCase() !== "lambda") return undefined;
  const names = node.args
    .slice(0, -1)
    .map((arg) => (arg.kind === "literal" ? String(arg.value) : undefined));
  const body = node.args.at(-1);
  if (body === undefined || !names.every((name) => name !== undefined)) return undefined;
  return { names, body };
}

type Meaning = (
  of: Expression,
  lambdas: readonly Lambda[],
  place: LambdaPlace,
  initial: Expression | undefined,
) => Expression | undefined;

/** Undefined: the call has no such meaning, or its result is open and our language has no form for it. */
export function lambdaMeaning(
  name: string,
  of: Expression,
  args: readonly ArmNode[],
  place: LambdaPlace,
  initial: Expression | undefined,
): Expression | undefined {
  const lambdas = args.map(lambdaIn).filter((one) => one !== undefined);
  return meanings.get(name)?.(of, lambdas, place, initial);
}

export function takesLambda(name: string): boolean {
  return meanings.has(name);
}

const MAX_ITEMS = 1_000;

function itemsIn(of: Expression, { spend }: LambdaPlace): readonly Expression[] | undefined {
  return of.kind === "list" && of.items.length <= MAX_ITEMS && spend(of.items.length)
    ? of.items
    : undefined;
}

/** The references of a `for` to its names: of the item, and of its index if the lambda takes it. */
function opened({ names }: Lambda, place: LambdaPlace): { names: string[]; values: Expression[] } {
  const [item = "one", index] = names;
  const own = [item, ...(index === undefined ? [] : [index])].map((name) => place.fresh(name));
  return { names: own.toReversed(), values: own.map((name) => itemOf(name, place.line)) };
}

const map: Meaning = (of, [lambda], place) => {
  if (lambda === undefined) return undefined;
  const items = itemsIn(of, place);
  if (items !== undefined)
    return list(items.map((item, at) => place.bodyFor(lambda, [item, literal(at)])));
  if (of.kind === "list") return undefined;
  const { names, values } = opened(lambda, place);
  const value = place.bodyFor(lambda, values);
  return { kind: "for", names, of, value, isGrouped: false, line: place.line };
};

const filter: Meaning = (of, [lambda], place) => {
  if (lambda === undefined) return undefined;
  const items = itemsIn(of, place);
  if (items !== undefined) {
    const held = items.map((item, at) => truthIn(place.bodyFor(lambda, [item, literal(at)])));
    if (!held.includes(undefined)) return list(items.filter((_, at) => held[at] === true));
  }
  const { names, values } = opened(lambda, place);
  const condition = place.bodyFor(lambda, values);
  const [value = literal(null)] = values;
  return { kind: "for", names, of, value, condition, isGrouped: false, line: place.line };
};

const reduce: Meaning = (of, [lambda], place, initial) => {
  const items = itemsIn(of, place);
  if (lambda === undefined || items === undefined || initial === undefined) return undefined;
  return items.reduce(
    (made, item, at) => place.bodyFor(lambda, [made, item, literal(at)]),
    initial,
  );
};

const sort: Meaning = (of, [lambda], place) => {
  const items = itemsIn(of, place);
  if (lambda === undefined || items === undefined) return undefined;
  let isOpen = false;
  const sorted = items.toSorted((one, other) => {
    const isBefore = truthIn(place.bodyFor(lambda, [one, other]));
    const isAfter = truthIn(place.bodyFor(lambda, [other, one]));
    isOpen ||= isBefore === undefined || isAfter === undefined || !place.spend(1);
    return isBefore === true ? -1 : isAfter === true ? 1 : 0;
  });
  return isOpen ? undefined : list(sorted);
};

const toObject: Meaning = (of, [key, value], place) => {
  if (key === undefined) return undefined;
  const items = itemsIn(of, place);
  const { line } = place;
  if (items !== undefined) {
    const members = new Map<string, Member>();
    let isOpen = false;
    for (const item of items) {
      const name = textIn(place.bodyFor(key, [item]));
      isOpen ||= name === undefined;
      const made = value === undefined ? item : place.bodyFor(value, [item]);
      members.set(name ?? "", { name: name ?? "", value: made, line });
    }
    if (!isOpen) return madeObject([...members.values()], line);
  }
  const { names, values } = opened({ ...key, names: key.names.slice(0, 1) }, place);
  const [item = literal(null)] = values;
  return {
    kind: "for",
    names,
    of,
    key: place.bodyFor(key, values),
    value: value === undefined ? item : place.bodyFor(value, values),
    isGrouped: false,
    line,
  };
};

const mapValues: Meaning = (of, [lambda], place) => {
  if (lambda === undefined) return undefined;
  const { line } = place;
  if (of.kind === "object") {
    if (of.members.length > MAX_ITEMS || !place.spend(of.members.length)) return undefined;
    return {
      kind: "object",
      members: of.members.map((one) => ({ ...one, value: place.bodyFor(lambda, [one.value]) })),
    };
  }
  const [name = "one"] = lambda.names;
  const item = place.fresh(name);
  const key = place.fresh("name");
  const value = place.bodyFor(lambda, [itemOf(item, line)]);
  return {
    kind: "for",
    names: [key, item],
    of,
    key: itemOf(key, line),
    value,
    isGrouped: false,
    line,
  };
};

const groupBy: Meaning = (of, [lambda], place) => {
  const items = itemsIn(of, place);
  if (lambda === undefined || items === undefined) return undefined;
  const groups = new Map<string, Expression[]>();
  for (const item of items) {
    const key = place.bodyFor(lambda, [item]);
    const name = textIn(key) ?? (numberIn(key) === undefined ? undefined : String(numberIn(key)));
    if (name === undefined) return undefined;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return {
    kind: "object",
    members: [...groups].map(([name, own]) => ({ name, value: list(own), line: place.line })),
  };
};

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["filter", filter],
  ["groupby", groupBy],
  ["map", map],
  ["mapvalues", mapValues],
  ["reduce", reduce],
  ["sort", sort],
  ["toobject", toObject],
]);
