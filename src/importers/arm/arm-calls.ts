import { literal, type Expression, type Member } from "#importers/expression.ts";
import { flatText, isTextPart, withinRepeats } from "#importers/text/joined-text.ts";

type Meaning = (args: readonly Expression[], line: number) => Expression | undefined;

/** Evaluates a call whose arguments decide it: a `concat` of texts becomes a text. Other calls stay. */
export function callMeaning(
  name: string,
  args: readonly Expression[],
  hasList: boolean,
  line: number,
): Expression {
  const meant = hasList ? undefined : meanings.get(name.toLowerCase())?.(args, line);
  return meant ?? { kind: "call", name, args, line };
}

const concat: Meaning = (args, line) =>
  args.length > 0 && args.every((arg) => isTextPart(arg) && !isListCall(arg))
    ? flatText(args, line)
    : undefined;

/** `format('{0}-{1}', a, b)`, except number formats. */
const format: Meaning = ([pattern, ...args], line) => {
  if (pattern?.kind !== "literal" || typeof pattern.value !== "string") return undefined;
  const parts: Expression[] = [];
  const used: Expression[] = [];
  for (const piece of pattern.value.split(/(\{\{|\}\}|\{[0-9]{1,3}\})/)) {
    const index = /^\{([0-9]+)\}$/.exec(piece)?.[1];
    if (index === undefined) {
      if (piece === "{{" || piece === "}}") parts.push(literal(piece.charAt(0)));
      else if (/[{}]/.test(piece)) return undefined;
      else if (piece !== "") parts.push(literal(piece));
      continue;
    }
    const arg = args[Number(index)];
    if (arg === undefined || !isTextPart(arg)) return undefined;
    parts.push(arg);
    used.push(arg);
  }
  return withinRepeats(used) ? flatText(parts, line) : undefined;
};

const createObject: Meaning = (args, line) => {
  const members = new Map<string, Member>();
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at];
    const value = args[at + 1];
    if (name?.kind !== "literal" || typeof name.value !== "string") return undefined;
    if (value === undefined) return undefined;
    members.set(name.value, { name: name.value, value, line });
  }
  return { kind: "object", members: [...members.values()] };
};

const not: Meaning = ([only]) =>
  only?.kind === "literal" && typeof only.value === "boolean" ? literal(!only.value) : undefined;

const equals: Meaning = ([one, other]) => {
  if (one?.kind !== "literal" || other?.kind !== "literal") return undefined;
  // ARM ignores the case of texts in comparisons.
  const [left, right] = [one, other].map(({ value }) =>
    typeof value === "string" ? value.toLowerCase() : value,
  );
  return literal(left === right);
};

/** A single argument equal to `decisive` decides the result. */
const decided =
  (decisive: boolean): Meaning =>
  (args) => {
    const values = args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
    if (values.some((value) => value === decisive)) return literal(decisive);
    return values.every((value) => value === !decisive) ? literal(!decisive) : undefined;
  };

const either: Meaning = ([condition, then, otherwise]) => {
  if (condition?.kind !== "literal") return undefined;
  if (condition.value === true) return then;
  return condition.value === false ? otherwise : undefined;
};

const cased =
  (change: (text: string) => string): Meaning =>
  ([only]) =>
    only?.kind === "literal" && typeof only.value === "string"
      ? literal(change(only.value))
      : undefined;

const text: Meaning = ([only]) =>
  only?.kind === "literal" && (typeof only.value === "string" || typeof only.value === "number")
    ? literal(String(only.value))
    : undefined;

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["concat", concat],
  ["format", format],
  ["createarray", (args) => ({ kind: "list", items: args })],
  ["createobject", createObject],
  ["true", () => literal(true)],
  ["false", () => literal(false)],
  ["null", () => literal(null)],
  ["not", not],
  ["equals", equals],
  ["and", decided(false)],
  ["or", decided(true)],
  ["if", either],
  ["tolower", cased((one) => one.toLowerCase())],
  ["toupper", cased((one) => one.toUpperCase())],
  ["string", text],
]);

/** Functions that return lists. `take` and `skip` are missing: inside `concat` they work on texts. */
const listFunctions = new Set([
  "array",
  "concat",
  "createarray",
  "filter",
  "flatten",
  "intersection",
  "map",
  "range",
  "sort",
  "split",
  "union",
]);

function isListCall(arg: Expression): boolean {
  return arg.kind === "call" && listFunctions.has(arg.name.toLowerCase());
}
