/** Expressions of the template language, as text with the known part of their type. */
import type { Node } from "#engine/expressions/ast.ts";
import { parse } from "#engine/expressions/parse.ts";
import { type Fact, factsOf } from "#engine/expressions/reads.ts";
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import type { OpenType } from "#importers/evaluate/scope.ts";
import type { Json } from "#platform/json.ts";

export interface Formula {
  text: string;
  type: OpenType;
  /** The repeated resource whose objects are the value. */
  loop?: DraftedResource;
  /** The value that stands for null in the draft. */
  empty?: string;
}

export const anyType: OpenType = { kind: "any" };

/** A converted value as an expression; undefined: the language has no form for it. */
export function formulaOf(of: Json): string | undefined {
  if (typeof of === "string") return textFormula(of);
  if (of === null || typeof of === "number" || typeof of === "boolean") return String(of);
  if (Array.isArray(of)) {
    const items = of.map((item) => {
      const text = formulaOf(item);
      const optional = text === undefined ? undefined : omissible(text);
      return optional === undefined ? text : `?${optional}`;
    });
    return items.includes(undefined) ? undefined : `[${items.join(", ")}]`;
  }
  const [call, ...others] = Object.keys(of);
  if (call?.startsWith("fn::") === true && others.length === 0)
    return calledFormula(call.slice("fn::".length), of[call] ?? null);
  const members = Object.entries(of).map(([name, member]) => {
    const text = formulaOf(member);
    const optional = text === undefined ? undefined : omissible(text);
    const key = JSON.stringify(unescaped(name));
    return text === undefined
      ? undefined
      : optional === undefined
        ? `${key}: ${text}`
        : `?${key}: ${optional}`;
  });
  return members.includes(undefined) ? undefined : `{${members.join(", ")}}`;
}

/** A text of a template: a single expression, or texts and expressions in turn. */
function textFormula(text: string): string | undefined {
  if (!text.includes("${")) return JSON.stringify(text);
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf("${"); at !== -1; at = text.indexOf("${", from)) {
    if (text[at - 1] === "$") {
      parts.push(JSON.stringify(`${text.slice(from, at - 1)}\${`));
      from = at + 2;
      continue;
    }
    if (at > from) parts.push(JSON.stringify(text.slice(from, at)));
    const end = endOfFormula(text, at + 2);
    if (end === undefined) return undefined;
    const own = text.slice(at + 2, end);
    from = end + 1;
    if (at === 0 && from === text.length) return isSimple(own) ? own : `(${own})`;
    parts.push(own.startsWith('"') ? own : `string(${own})`);
  }
  if (from < text.length) parts.push(JSON.stringify(text.slice(from)));
  return parts.length === 1 ? parts[0] : `(${parts.join(" + ")})`;
}

/** Whether a text is exactly one expression. */
export function isExpression(text: string): boolean {
  return text.startsWith("${") && endOfFormula(text, 2) === text.length - 1;
}

/** The closing brace of an expression, past its own texts and braces. */
function endOfFormula(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"' || sign === "'") {
      for (at += 1; at < text.length && text[at] !== sign; at += 1) if (text[at] === "\\") at += 1;
    } else if (sign === "{") depth += 1;
    else if (sign === "}" && depth-- === 0) return at;
  }
  return undefined;
}

const simple: ReadonlySet<string> = new Set([
  "name",
  "member",
  "index",
  "call",
  "loop",
  "literal",
  "list",
  "map",
]);

/** Whether an expression needs no brackets beside an operator. */
function isSimple(text: string): boolean {
  if (text.startsWith("(") && text.endsWith(")")) return isRead(text.slice(1, -1));
  const parsed = parse(text);
  return parsed.kind === "parsed" && simple.has(parsed.node.kind);
}

function isRead(text: string): boolean {
  return parse(text).kind === "parsed";
}

/**
 * Puts a value that may be omitted into another one, which is omitted with it. Undefined: the value is never omitted, or
 * has another form.
 */
export function omittedWith(of: Json, around: (inner: Json) => Json): Json | undefined {
  if (typeof of !== "string" || !of.startsWith("${") || !of.includes("omit()")) return undefined;
  const text = of.slice(2, -1);
  const parsed = parse(text);
  if (parsed.kind === "problem" || parsed.node.kind !== "choice") return undefined;
  const { condition, met, otherwise } = parsed.node;
  const read = (node: Node): string | undefined => {
    const own = text.slice(node.start, node.end);
    if (own.replaceAll(/[()\s]/g, "") === "omit") return "omit()";
    return own.includes("omit()") ? undefined : formulaOf(around(`\${${own}}`));
  };
  const [yes, no] = [read(met), read(otherwise)];
  if (yes === undefined || no === undefined) return undefined;
  return `\${(${text.slice(condition.start, condition.end)} ? ${yes} : ${no})}`;
}

function unescaped(text: string): string {
  return text.replaceAll("$${", () => "${");
}

/** A function in its form as a map. */
function calledFormula(name: string, arg: Json): string | undefined {
  const [first, second] = (Array.isArray(arg) ? arg : [arg]).map(formulaOf);
  const only = Array.isArray(arg) ? formulaOf(arg) : first;
  switch (name) {
    case "join":
      return second === undefined ? undefined : `${second}.join(${first})`;
    case "split":
      return second === undefined ? undefined : `${second}.split(${first})`;
    case "select":
      return second === undefined ? undefined : `${second}[${first}]`;
    case "singleOrNone":
      return only && `${only}.singleOrNone()`;
    default: {
      const ours = Object.hasOwn(functions, name) ? functions[name] : undefined;
      return ours && only && `${ours}(${only})`;
    }
  }
}

const functions: Readonly<Record<string, string>> = {
  toJSON: "json.encode",
  toBase64: "base64.encode",
  fromBase64: "base64.decode",
  length: "size",
  sha1: "sha1",
  secret: "secret",
  unsecret: "unsecret",
};

/** An expression that may omit its result, as an optional value; undefined: it does not. */
export function omissible(text: string): string | undefined {
  if (!text.includes("omit()")) return undefined;
  const parsed = parse(text);
  if (parsed.kind === "problem") return undefined;
  const read = (node: Node): string => {
    const own = text.slice(node.start, node.end);
    if (node.kind === "choice")
      return `(${text.slice(node.condition.start, node.condition.end)} ? ${read(node.met)} : ${read(node.otherwise)})`;
    return own.replaceAll(/[()\s]/g, "") === "omit" ? "optional.none()" : `optional.of(${own})`;
  };
  return read(parsed.node);
}

/** The facts that a condition states; empty if its text cannot be read. */
export function factsIn(condition: string, holds = true): Fact[] {
  const parsed = parse(condition);
  return parsed.kind === "problem" ? [] : factsOf({ node: parsed.node, holds });
}

/** A step below a value. `isOptional`: the value may lack it. */
export function stepText(step: string | number, isOptional = false): string {
  const mark = isOptional ? "?" : "";
  if (typeof step === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) return `.${mark}${step}`;
  return `[${mark}${JSON.stringify(step)}]`;
}

export function itemType(type: OpenType): OpenType {
  if (type.kind === "list" || type.kind === "set" || type.kind === "map") return type.of;
  return anyType;
}

/** The part of a value at a step. */
export function member(of: Formula, step: string | number, isWhole: boolean): Formula | undefined {
  const { text, type } = of;
  if (type.kind !== "object") return { text: `${text}${stepText(step)}`, type: itemType(type) };
  const own = type.attributes.get(String(step));
  if (own === undefined) return undefined;
  if (own.kind !== "optional") return { text: `${text}${stepText(step)}`, type: own };
  const initial = own.default.kind === "literal" ? own.default.value : undefined;
  if (initial === undefined) return undefined;
  if (initial === null && isWhole) {
    const asked = `${text}${stepText(step)}`;
    return { text: `(has(${asked}) ? ${asked} : omit())`, type: own.of };
  }
  return {
    text: `${text}${stepText(step, true)}.orValue(${JSON.stringify(initial)})`,
    type: own.of,
  };
}
