/** CloudFormation's functions as expressions of the template language. */
import { parse } from "#engine/expressions/parse.ts";
import type { Converted } from "#importers/draft/values/converted.ts";
import { forms } from "#importers/draft/values/formulas/formula-forms.ts";
import { omissible, stepText } from "#importers/draft/values/formulas/formula.ts";
import type { Expression } from "#importers/expression.ts";
import type { ValueShape } from "#providers/provider.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;
type Kind = "text" | "number" | "boolean" | "list" | "unknown";

/** An expression that may stand beside any operator. */
export interface Formula {
  text: string;
  type: Kind;
  /** The type of a list's items. */
  items?: Kind;
}

export type Refused = Extract<Converted, { kind: "cannot" }>;
/** Converts an argument. */
export type Part = (expression: Expression) => Formula | Refused;

/** The text without brackets around the whole of it. */
export function bare(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  const inner = text.slice(1, -1);
  return parse(inner).kind === "parsed" ? inner : text;
}

export function isRefused(made: Formula | Refused): made is Refused {
  return "kind" in made;
}

/** Adapts an expression to the property's type, as CloudFormation does. */
export function fitted({ text, type }: Formula, shape: ValueShape | undefined): string {
  const wanted = shape?.type;
  if (type === "text") {
    if (wanted === "integer") return `int(${text})`;
    if (wanted === "number") return `double(${text})`;
    if (wanted === "boolean") return `bool(${text})`;
  }
  return wanted === "string" && (type === "number" || type === "boolean")
    ? `string(${text})`
    : text;
}

/** Undefined: the function has no form as an expression. */
export function formulaFor(call: CallExpression, part: Part): Formula | Refused | undefined {
  const { name, args } = call;
  if (name === "[]") return indexed(args, part);
  if (name === "lookup") return lookedUp(args, part);
  if (name === "cidr") return blocks(args, part);
  if (name === "==" || name === "!=") return compared(name, args, part);
  const form = Object.hasOwn(ownForms, name) ? ownForms[name] : undefined;
  const like = Object.hasOwn(sharedForms, name) ? sharedForms[name] : undefined;
  if (form === undefined && like === undefined) return undefined;
  const made: Formula[] = [];
  for (const arg of args) {
    const one = part(arg);
    if (isRefused(one)) return one;
    made.push(one);
  }
  if (like === undefined) return form?.(made);
  const { form: shared = name, ...result } = like;
  const text = forms[shared]?.(made.map((one) => one.text));
  return text === undefined ? undefined : { ...result, text };
}

/** The functions with a form that other formats have too: its name there, and the type of the result. */
const sharedForms: {
  readonly [name: string]: { readonly form?: string; readonly type: Kind; readonly items?: Kind };
} = {
  "!": { type: "boolean" },
  "&&": { type: "boolean" },
  "||": { type: "boolean" },
  join: { type: "text" },
  split: { type: "list", items: "text" },
  length: { type: "number" },
  toJsonString: { form: "jsonencode", type: "text" },
  base64: { form: "base64encode", type: "text" },
};

type Form = (args: readonly Formula[]) => Formula | undefined;

const ownForms: { readonly [name: string]: Form } = {
  "?:": ([condition, met, otherwise]) =>
    condition &&
    met &&
    otherwise && {
      text: `(${condition.text} ? ${met.text} : ${otherwise.text})`,
      type: met.type === otherwise.type ? met.type : "unknown",
    },
  tostring: ([only]) => only && asText(only),
};

function asText({ text, type }: Formula): Formula {
  if (type === "text") return { text, type };
  const isLiteral = /^-?[0-9.]+$|^true$|^false$/.test(text);
  return { text: isLiteral ? `"${text}"` : `string(${text})`, type: "text" };
}

/** CloudFormation compares texts. A number beside a number's text is compared as it is. */
function compared(
  operator: "==" | "!=",
  [first, second]: readonly Expression[],
  part: Part,
): Formula | Refused | undefined {
  if (first === undefined || second === undefined) return undefined;
  const left = part(withoutConversion(first));
  if (isRefused(left)) return left;
  const right = part(withoutConversion(second));
  if (isRefused(right)) return right;
  const number = /^("?)(0|[1-9]\d{0,14})\1$/.exec(right.text)?.[2];
  const sides =
    left.type === "number" && number !== undefined
      ? [left.text, number]
      : [asText(left).text, asText(right).text];
  return { text: `(${sides[0]} ${operator} ${sides[1]})`, type: "boolean" };
}

function withoutConversion(of: Expression): Expression {
  const [only] = of.kind === "call" && of.name === "tostring" ? of.args : [];
  return only ?? of;
}

/** A part of a list, of a mapping, or of a function that makes a list. */
function indexed([of, ...steps]: readonly Expression[], part: Part): Formula | Refused | undefined {
  if (of === undefined) return undefined;
  const [first] = steps;
  if (of.kind === "call" && of.name === "cidr" && steps.length === 1 && first !== undefined)
    return blockAt(of.args, first, part);
  const whole = part(of);
  if (isRefused(whole)) return whole;
  let { text } = whole;
  for (const step of steps) {
    const made = part(step);
    if (isRefused(made)) return made;
    text += stepOf(made, whole.type === "list");
  }
  return { text, type: whole.items ?? "unknown" };
}

function stepOf({ text, type }: Formula, isList: boolean, isOptional = false): string {
  const mark = isOptional ? "?" : "";
  if (/^\d+$/.test(text)) return `[${mark}${text}]`;
  if (text.startsWith('"') && isOneText(text))
    return stepText(JSON.parse(text) as string, isOptional);
  return `[${mark}${isList && type === "text" ? `int(${text})` : text}]`;
}

function isOneText(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}

/** A look-up with a default, which CloudFormation takes for either key. */
function lookedUp(
  [within, last, otherwise]: readonly Expression[],
  part: Part,
): Formula | Refused | undefined {
  const [of, first] = within?.kind === "call" && within.name === "[]" ? within.args : [];
  if (of === undefined || first === undefined || last === undefined || otherwise === undefined)
    return undefined;
  const made: Formula[] = [];
  for (const one of [of, first, last, otherwise]) {
    const text = part(one);
    if (isRefused(text)) return text;
    made.push(text);
  }
  const [map, top, second, instead] = made;
  if (!map || !top || !second || !instead) return undefined;
  const found = `${map.text}${stepOf(top, false, true)}${stepOf(second, false, true)}`;
  if (omissible(instead.text) === undefined)
    return { text: `${found}.orValue(${instead.text})`, type: "unknown" };
  return {
    text: `(${found}.hasValue() ? ${map.text}${stepOf(top, false)}${stepOf(second, false)} : ${instead.text})`,
    type: "unknown",
  };
}

/** `Fn::Cidr`: a number of blocks from the start of another, each with a number of bits for hosts. */
function blocks(args: readonly Expression[], part: Part): Formula | Refused | undefined {
  const [, count] = args;
  const number = count && part(count);
  if (number === undefined || isRefused(number)) return number;
  const of = blockOf(args, "i", part);
  if (of === undefined || isRefused(of)) return of;
  const text = number.type === "text" ? `int(${number.text})` : number.text;
  return { text: `lists.range(${text}).map(i, ${of.text})`, type: "list", items: "text" };
}

function blockAt(args: readonly Expression[], index: Expression, part: Part) {
  const made = part(index);
  if (isRefused(made)) return made;
  return blockOf(args, made.type === "text" ? `int(${made.text})` : made.text, part);
}

function blockOf(
  [around, , hostBits]: readonly Expression[],
  index: string,
  part: Part,
): Formula | Refused | undefined {
  const block = around && part(around);
  const bits = hostBits && part(hostBits);
  if (block === undefined || isRefused(block)) return block;
  if (bits === undefined || isRefused(bits)) return bits;
  const number = /^"?(\d{1,3})"?$/.exec(bits.text)?.[1];
  if (number === undefined) {
    const all = /ipv6/i.test(block.text) ? 128 : 32;
    const own = bits.type === "number" ? bits.text : `int(${bits.text})`;
    const text = `cidrSubnet(${block.text}, ${all} - ${own} - int(${block.text}.split("/")[1]), ${index})`;
    return { text, type: "text" };
  }
  // A block of version 4 has at most 32 bits. Another one with as few bits for hosts has addresses with colons.
  const isSix = Number(number) > 32 || /ipv6/i.test(block.text);
  const prefix = (isSix ? 128 : 32) - Number(number);
  const written = /^"[^"/]+\/(\d{1,3})"$/.exec(block.text)?.[1];
  const added =
    written === undefined
      ? `${prefix} - int(${block.text}.split("/")[1])`
      : prefix - Number(written);
  return { text: `cidrSubnet(${block.text}, ${added}, ${index})`, type: "text" };
}
