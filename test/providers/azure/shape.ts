/** What a body may be, for a validator: written by hand in short, or taken from Bicep's type files. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

export interface Member {
  required?: boolean;
  /** The cloud sets it. */
  readOnly?: boolean;
  /** The cloud does not show it. */
  writeOnly?: boolean;
  shape: () => Shape;
}

export type Shape =
  | { is: "text" | "integer" | "number" | "flag" | "any" }
  | { is: "choice"; values: readonly Json[] }
  | { is: "either"; shapes: readonly (() => Shape)[] }
  | { is: "list"; items: () => Shape }
  | { is: "map"; items: () => Shape }
  | { is: "object"; members: () => Readonly<Record<string, Member>> };

/**
 * A shape in short: `s` text, `i` integer, `n` number, `b` flag, `*` anything, `a|b` a choice, `[…]` a list, `{ "*": … }` a map. A
 * member's name may end in `!` (required), `-` (only shown) or `+` (never shown).
 */
export type Short = string | readonly [Short] | { readonly [name: string]: Short };

const scalars = { s: "text", i: "integer", n: "number", b: "flag", "*": "any" } as const;

export function shapeOf(short: Short): Shape {
  if (typeof short === "string")
    return Object.hasOwn(scalars, short)
      ? { is: scalars[short as keyof typeof scalars] }
      : { is: "choice", values: short.split("|") };
  if (isList(short)) return { is: "list", items: () => shapeOf(short[0]) };
  const any = short["*"];
  if (any !== undefined) return { is: "map", items: () => shapeOf(any) };
  return {
    is: "object",
    members: () =>
      Object.fromEntries(
        Object.entries(short).map(([name, member]): [string, Member] => {
          const [, bare = name, flags = ""] = /^(.*?)([!+-]*)$/.exec(name) ?? [];
          return [
            bare,
            {
              required: flags.includes("!"),
              readOnly: flags.includes("-"),
              writeOnly: flags.includes("+"),
              shape: () => shapeOf(member),
            },
          ];
        }),
      ),
  };
}

function isList(short: Exclude<Short, string>): short is readonly [Short] {
  return Array.isArray(short);
}

export type Side = "request" | "answer";

/** What is wrong with a value, by its place; empty: nothing. */
export function problemsOf(shape: Shape, value: Json, side: Side, at = ""): string[] {
  switch (shape.is) {
    case "any":
      return [];
    case "text":
      return typeof value === "string" ? [] : [`${at} is no text`];
    case "integer":
      return Number.isInteger(value) ? [] : [`${at} is no integer`];
    case "number":
      return typeof value === "number" ? [] : [`${at} is no number`];
    case "flag":
      return typeof value === "boolean" ? [] : [`${at} is neither true nor false`];
    case "choice":
      return shape.values.includes(value)
        ? []
        : [`${at} is none of ${JSON.stringify(shape.values)}`];
    case "either": {
      const all = shape.shapes.map((one) => problemsOf(one(), value, side, at));
      return all.some((problems) => problems.length === 0) ? [] : (all[0] ?? []);
    }
    case "list":
      return Array.isArray(value)
        ? value.flatMap((item, index) => problemsOf(shape.items(), item, side, `${at}[${index}]`))
        : [`${at} is no list`];
    case "map":
      return isJsonMap(value)
        ? Object.entries(value).flatMap(([key, item]) =>
            problemsOf(shape.items(), item, side, `${at}.${key}`),
          )
        : [`${at} is no map`];
    case "object":
      return isJsonMap(value)
        ? objectProblems(shape.members(), value, side, at)
        : [`${at} is no object`];
  }
}

function objectProblems(
  members: Readonly<Record<string, Member>>,
  value: JsonMap,
  side: Side,
  at: string,
): string[] {
  const missing = Object.entries(members)
    .filter(
      ([name, { required, readOnly }]) => required && !readOnly && !Object.hasOwn(value, name),
    )
    .map(([name]) => `${at}.${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (member === undefined) return [`${at} has no member ${name}`];
    if (side === "request" && member.readOnly) return [`${at}.${name} is set by the cloud alone`];
    if (side === "answer" && member.writeOnly) return [`${at}.${name} is shown`];
    return problemsOf(member.shape(), item, side, `${at}.${name}`);
  });
  return side === "request" ? [...missing, ...wrong] : wrong;
}

/** The value without what the cloud does not show. */
export function shownOf(shape: Shape, value: Json): Json {
  if (shape.is === "list" && Array.isArray(value))
    return value.map((item) => shownOf(shape.items(), item));
  if (shape.is !== "object" || !isJsonMap(value)) return value;
  const members = shape.members();
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]): [string, Json][] => {
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      if (member === undefined) return [[name, item]];
      return member.writeOnly ? [] : [[name, shownOf(member.shape(), item)]];
    }),
  );
}
