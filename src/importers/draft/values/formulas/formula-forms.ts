/** The operators and functions of Terraform and CloudFormation in the template language. */
import type { OpenType } from "#importers/evaluate/scope.ts";
import { anyType, type Formula } from "./formula.ts";

type Form = (texts: readonly string[]) => string | undefined;

const operator =
  (sign: string): Form =>
  ([left, right]) =>
    left === undefined
      ? undefined
      : right === undefined
        ? `${sign}${left}`
        : `(${left} ${sign} ${right})`;

const called =
  (name: string, count = 1): Form =>
  (texts) =>
    texts.length === count ? `${name}(${texts.join(", ")})` : undefined;

/** A method of the argument at `of`, with the other ones as its arguments. */
const method =
  (name: string, { of = 0, count = 1 } = {}): Form =>
  (texts) =>
    texts.length === count
      ? `${texts[of]}.${name}(${texts.filter((_, at) => at !== of).join(", ")})`
      : undefined;

/** The greater or smaller of two values. */
const chosen =
  (sign: string): Form =>
  ([one, other, ...more]) =>
    other === undefined || more.length > 0
      ? undefined
      : `(${one} ${sign} ${other} ? ${one} : ${other})`;

const without =
  (test: "startsWith" | "endsWith", rest: (text: string, part: string) => string): Form =>
  ([text, part]) =>
    part?.startsWith('"') === true
      ? `(${text}.${test}(${part}) ? ${rest(text ?? "", part)} : ${text})`
      : undefined;

/** `%02d` and `%03d`, which the language's `format` lacks. */
function padded(width: number, number: string): string {
  let text = `string(${number})`;
  for (let digits = 1; digits < width; digits += 1)
    text = `${number} < ${10 ** (width - digits)} ? "${"0".repeat(digits)}" + string(${number}) : ${text}`;
  return `(${text})`;
}

function startOf(text: string, most: string): string {
  return `(${text}.size() > ${most} ? ${text}.substring(0, ${most}) : ${text})`;
}

const format: Form = ([pattern, ...values]) => {
  if (pattern === undefined || !/^"(?:[^%\\]|%[sdv%]|%0[234]d|%\.\d{1,3}s)*"$/.test(pattern))
    return undefined;
  const given = [...values];
  const verbs = pattern.match(/%(?:[sdv%]|0\dd|\.\d+s)/g)?.filter((verb) => verb !== "%%") ?? [];
  if (verbs.length !== values.length) return undefined;
  for (const [at, verb] of verbs.entries()) {
    const width = /^%0(\d)d$/.exec(verb)?.[1];
    if (width !== undefined) given[at] = padded(Number(width), values[at] ?? "");
    const most = /^%\.(\d+)s$/.exec(verb)?.[1];
    if (most !== undefined) given[at] = startOf(values[at] ?? "", most);
  }
  const ours = pattern.replaceAll(/%(?:v|0\dd|\.\d+s)/g, "%s");
  return `${ours}.format([${given.join(", ")}])`;
};

/** Only of one list: of two arguments, nothing tells which one is a list. */
const formatList: Form = ([pattern, list, ...more]) => {
  const text = list === undefined || more.length > 0 ? undefined : format([pattern ?? "", "one"]);
  return text && `${list}.map(one, ${text})`;
};

export const forms: { readonly [name: string]: Form } = {
  "==": operator("=="),
  "!=": operator("!="),
  "<": operator("<"),
  "<=": operator("<="),
  ">": operator(">"),
  ">=": operator(">="),
  "&&": operator("&&"),
  "||": operator("||"),
  "!": operator("!"),
  "+": operator("+"),
  "-": operator("-"),
  "*": operator("*"),
  "%": operator("%"),
  // Terraform keeps the fraction.
  "/": ([left, right]) => `(double(${left}) / ${right})`,
  contains: ([list, item]) => `(${item} in ${list})`,
  length: called("size"),
  lower: method("lowerAscii"),
  upper: method("upperAscii"),
  trimspace: method("trim"),
  trimprefix: without("startsWith", (text, part) => `${text}.substring(${part}.size())`),
  trimsuffix: without(
    "endsWith",
    (text, part) => `${text}.substring(0, ${text}.size() - ${part}.size())`,
  ),
  join: method("join", { of: 1, count: 2 }),
  split: method("split", { of: 1, count: 2 }),
  substr: ([of, start, length]) =>
    start === "0" && of !== undefined && /^\d+$/.test(length ?? "")
      ? startOf(of, length ?? "")
      : undefined,
  strcontains: method("contains", { count: 2 }),
  // Between slashes, Terraform replaces a pattern.
  replace: (texts) =>
    texts[1]?.startsWith('"') === true && !texts[1].startsWith('"/')
      ? method("replace", { count: 3 })(texts)
      : undefined,
  startswith: method("startsWith", { count: 2 }),
  endswith: method("endsWith", { count: 2 }),
  concat: (texts) => (texts.length === 1 ? texts[0] : `(${texts.join(" + ")})`),
  merge: ([first, ...others]) =>
    first === undefined ? undefined : first + others.map((one) => `.merge(${one})`).join(""),
  keys: method("keys"),
  values: method("values"),
  distinct: method("distinct"),
  sort: method("sort"),
  reverse: method("reverse"),
  flatten: ([list]) => list && `${list}.flatten(10)`,
  compact: ([list]) => list && `${list}.filter(one, one != null && one != "")`,
  alltrue: ([list]) => list && `${list}.all(one, one)`,
  anytrue: ([list]) => list && `${list}.exists(one, one)`,
  slice: method("slice", { count: 3 }),
  setunion: (texts) => `(${texts.join(" + ")}).distinct().sort()`,
  coalescelist: ([one, other, ...more]) =>
    other === undefined || more.length > 0 ? undefined : `(${one}.size() > 0 ? ${one} : ${other})`,
  abs: ([number]) => number && `(${number} < 0 ? -${number} : ${number})`,
  parseint: ([text, base]) => (base === "10" ? `int(${text})` : undefined),
  indent: ([width, text]) =>
    /^\d{1,2}$/.test(width ?? "")
      ? `${text}.replace("\\n", "\\n${" ".repeat(Number(width))}")`
      : undefined,
  zipmap: ([keys, values]) =>
    values && `${keys}.transformMapEntry(nth, one, {one: ${values}[nth]})`,
  range: (texts) =>
    texts.length === 1
      ? `lists.range(${texts[0]})`
      : texts.length === 2
        ? `lists.range(${texts[1]} - ${texts[0]}).map(nth, nth + ${texts[0]})`
        : undefined,
  max: chosen(">"),
  min: chosen("<"),
  tolist: ([only]) => only,
  tomap: ([only]) => only,
  nonsensitive: ([only]) => only,
  sensitive: called("secret"),
  // CloudFormation's comparisons convert literals too.
  tostring: ([only]) =>
    only?.startsWith('"') === true
      ? only
      : /^[0-9.]+$|^true$|^false$/.test(only ?? "")
        ? `"${only}"`
        : `string(${only})`,
  tonumber: called("double"),
  tobool: called("bool"),
  jsonencode: called("json.encode"),
  jsondecode: called("json.decode"),
  base64encode: called("base64.encode"),
  base64decode: called("base64.decode"),
  sha1: called("sha1"),
  sha256: called("sha256"),
  sha512: called("sha512"),
  format,
  formatlist: formatList,
  cidrsubnet: called("cidrSubnet", 3),
  cidrhost: called("cidrHost", 2),
  cidrnetmask: called("cidrNetmask"),
};

const text: OpenType = { kind: "string" };
const number: OpenType = { kind: "number" };
const truth: OpenType = { kind: "bool" };

/** The type of a call's result. */
export function typeOfCall(name: string, args: readonly Formula[]): OpenType {
  const [first] = args;
  const given = first?.type ?? anyType;
  const items =
    given.kind === "map" || given.kind === "list" || given.kind === "set" ? given.of : anyType;
  switch (name) {
    case "length":
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "tonumber":
    case "abs":
    case "parseint":
      return number;
    case "==":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "&&":
    case "||":
    case "!":
    case "contains":
    case "startswith":
    case "endswith":
    case "strcontains":
    case "alltrue":
    case "anytrue":
    case "tobool":
      return truth;
    case "keys":
    case "split":
    case "compact":
    case "formatlist":
      return { kind: "list", of: text };
    case "range":
      return { kind: "list", of: number };
    case "values":
    case "distinct":
    case "sort":
    case "reverse":
    case "slice":
    case "coalescelist":
    case "tolist":
      return { kind: "list", of: items };
    case "concat":
    case "flatten":
      return { kind: "list", of: args.length === 1 && name === "concat" ? items : anyType };
    case "toset":
    case "setunion":
      return { kind: "set", of: items };
    case "merge":
      return args.every(({ type }) => type.kind === "map") ? given : { kind: "map", of: anyType };
    case "zipmap":
      return { kind: "map", of: anyType };
    case "tomap":
    case "nonsensitive":
    case "sensitive":
      return given;
    case "jsondecode":
      return anyType;
    default:
      return text;
  }
}
