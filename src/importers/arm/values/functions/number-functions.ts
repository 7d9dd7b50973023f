/** ARM's functions of numbers, truth values, dates and address ranges. */
import {
  areEqual,
  call,
  isNull,
  numberIn,
  textIn,
  truthIn,
} from "#importers/arm/values/known-values.ts";
import { addressIn, blockParts, subBlock } from "#importers/evaluate/address-blocks.ts";
import { type Expression, literal } from "#importers/expression.ts";
import type { ArmFunction, ArmFunctions } from "./arm-function.ts";

function arithmetic(
  name: string,
  compute: (one: number, other: number) => number | undefined,
): ArmFunction {
  return (args, { line }) => {
    const [one, other] = args.map(numberIn);
    if (args.length !== 2) return undefined;
    if (one === undefined || other === undefined) return call(name, args, line);
    const made = compute(one, other);
    return made === undefined || !Number.isSafeInteger(made) ? undefined : literal(made);
  };
}

function compared(name: string, holds: (one: number, other: number) => boolean): ArmFunction {
  return (args, { line, typeOf }) => {
    const [one, other] = args.map(numberIn);
    if (one !== undefined && other !== undefined) return literal(holds(one, other));
    // ARM orders texts by the rules of a culture, our language by code units.
    const isText = args.some((arg) => typeOf(arg) === "string");
    return args.length === 2 && !isText ? call(name, args, line) : undefined;
  };
}

const equals: ArmFunction = ([one, other], { line }) => {
  if (one === undefined || other === undefined) return undefined;
  const known = areEqual(one, other);
  return known === undefined ? call("==", [one, other], line) : literal(known);
};

const not: ArmFunction = ([of], { line }) => {
  const known = truthIn(of);
  if (known !== undefined) return literal(!known);
  if (of?.kind === "call" && of.name === "!" && of.args[0] !== undefined) return of.args[0];
  return of && call("!", [of], line);
};

/** The maximum number of arguments that make one expression inside the other. */
const MAX_SIDES = 100;

/** A single argument equal to `decisive` decides the result. */
function combined(name: "&&" | "||", decisive: boolean): ArmFunction {
  return (args, { line }) => {
    const values = args.map(truthIn);
    if (values.includes(decisive)) return literal(decisive);
    const [first, ...others] = args.filter((_, at) => values[at] === undefined);
    if (first === undefined) return args.length === 0 ? undefined : literal(!decisive);
    if (others.length > MAX_SIDES) return undefined;
    return others.reduce<Expression>((one, other) => call(name, [one, other], line), first);
  };
}

const either: ArmFunction = ([condition, met, otherwise], { line }) => {
  if (condition === undefined || met === undefined || otherwise === undefined) return undefined;
  const known = truthIn(condition);
  if (known !== undefined) return known ? met : otherwise;
  if (condition.kind === "literal") return undefined;
  if (areEqual(met, otherwise) === true) return met;
  if (truthIn(met) === true && truthIn(otherwise) === false) return condition;
  return call("?:", [condition, met, otherwise], line);
};

const coalesce: ArmFunction = (args, { line }) => {
  const given = args.filter((arg) => !isNull(arg));
  if (given.length === 0) return args.length === 0 ? undefined : literal(null);
  const known = given.findIndex(({ kind }) => !/^(?:call|reference|opaque)$/.test(kind));
  const asked = known === -1 ? given : given.slice(0, known + 1);
  if (asked.length > MAX_SIDES) return undefined;
  return asked.reduceRight((rest, one) => call("arm:coalesce", [one, rest], line));
};

const integer: ArmFunction = ([of], { line, typeOf }) => {
  const known =
    numberIn(of) ?? (/^[+-]?\d+$/.test(textIn(of) ?? "") ? Number(textIn(of)) : undefined);
  if (known !== undefined) return literal(Math.trunc(known));
  if (of === undefined || of.kind === "literal") return undefined;
  return typeOf(of) === "int" ? of : call("arm:int", [of], line);
};

const decimal: ArmFunction = ([of]) => {
  const known = numberIn(of) ?? Number(textIn(of) ?? Number.NaN);
  return Number.isFinite(known) ? literal(known) : undefined;
};

/** `cidrSubnet(range, newPrefix, index)`. */
const cidrSubnet: ArmFunction = ([range, prefix, index], { line }) => {
  const block = textIn(range);
  const bits = numberIn(prefix);
  const at = numberIn(index);
  if (range === undefined || prefix === undefined || index === undefined) return undefined;
  if (block === undefined || bits === undefined || at === undefined)
    return call("arm:cidrSubnet", [range, prefix, index], line);
  const own = Number(/\/(\d{1,2})$/.exec(block)?.[1] ?? Number.NaN);
  const made = subBlock(block, bits - own, at);
  return made === undefined ? undefined : literal(made);
};

/** `cidrHost(range, index)`. The first usable address has the index 0. */
const cidrHost: ArmFunction = ([range, index], { line }) => {
  const block = textIn(range);
  const at = numberIn(index);
  if (range === undefined || index === undefined) return undefined;
  if (block === undefined || at === undefined)
    return call("cidrhost", [range, call("+", [index, literal(1)], line)], line);
  const made = addressIn(block, at + 1);
  return made === undefined ? undefined : literal(made);
};

const parseCidr: ArmFunction = ([range], { line }) => {
  const block = textIn(range);
  const parts = block === undefined ? undefined : blockParts(block);
  if (block === undefined || parts === undefined || parts.cidr > 30) return undefined;
  const all = { ...parts, firstUsable: addressIn(block, 1), lastUsable: addressIn(block, -2) };
  return {
    kind: "object",
    members: Object.entries(all).map(([name, value]) => ({
      name,
      value: literal(value ?? null),
      line,
    })),
  };
};

const fromEpoch: ArmFunction = ([seconds]) => {
  const known = numberIn(seconds);
  if (known === undefined || Math.abs(known) > 8e12) return undefined;
  return literal(new Date(known * 1000).toISOString().replace(/\.\d+Z$/, "Z"));
};

const toEpoch: ArmFunction = ([date]) => {
  const text = textIn(date);
  const isWhole = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text ?? "");
  if (text === undefined || !isWhole) return undefined;
  const time = Date.parse(text.replace(" ", "T"));
  return Number.isFinite(time) ? literal(Math.floor(time / 1000)) : undefined;
};

export const numberFunctions: ArmFunctions = [
  ["add", arithmetic("+", (one, other) => one + other)],
  ["sub", arithmetic("-", (one, other) => one - other)],
  ["mul", arithmetic("*", (one, other) => one * other)],
  [
    "div",
    arithmetic("arm:div", (one, other) => (other === 0 ? undefined : Math.trunc(one / other))),
  ],
  ["mod", arithmetic("%", (one, other) => (other === 0 ? undefined : one % other))],
  ["less", compared("<", (one, other) => one < other)],
  ["lessorequals", compared("<=", (one, other) => one <= other)],
  ["greater", compared(">", (one, other) => one > other)],
  ["greaterorequals", compared(">=", (one, other) => one >= other)],
  ["equals", equals],
  ["not", not],
  ["and", combined("&&", false)],
  ["or", combined("||", true)],
  ["if", either],
  ["coalesce", coalesce],
  ["int", integer],
  ["float", decimal],
  ["true", () => literal(true)],
  ["false", () => literal(false)],
  ["null", () => literal(null)],
  ["cidrsubnet", cidrSubnet],
  ["cidrhost", cidrHost],
  ["parsecidr", parseCidr],
  ["datetimefromepoch", fromEpoch],
  ["datetimetoepoch", toEpoch],
];
