import { FUNCTION } from "#engine/template/expressions.ts";
import type { Json } from "#platform/json.ts";
import { isJsonMap } from "#platform/json.ts";

/** The conversion of an expression of the source to a template value. */
export type Converted =
  /** `isRuled`: the rule of its property has been applied to its parts. */
  | { kind: "value"; value: Json; isRuled?: true }
  /** The expression has no value, so its property keeps the default. */
  | { kind: "absent"; reason: string }
  /**
   * The template language cannot express it. `isKnownElsewhere`: the value belongs to something outside the draft, and
   * one config value can replace it everywhere. `isSecret`: its replacement must be a secret.
   */
  | { kind: "cannot"; reason: string; isKnownElsewhere?: true; isSecret?: boolean };

export function value(of: Json): Converted {
  return { kind: "value", value: of };
}

export function cannot(reason: string, isSecret = false): Converted {
  return { kind: "cannot", reason, isSecret };
}

/** A literal that could be a secret. Templates must not contain it. */
export function secret(): Converted {
  return {
    kind: "cannot",
    reason: "The source writes it out; it could be a secret.",
    isSecret: true,
  };
}

/** Escapes a literal text, so that a template does not read it as an expression. */
export function escaped(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** The name of a map's member in a template. Undefined: the template would call a function of that name. */
export function memberName(name: string): string | undefined {
  return namesCall(name) ? undefined : escaped(name);
}

/** The reason for a member without a name. */
export const calledName = "A template would call a function of this name.";

export function namesCall(name: string): boolean {
  return FUNCTION.test(name);
}

/** Whether a template value is a single reference. */
export function isReference(of: Json): of is `\${${string}}` {
  return typeof of === "string" && /^\$\{[^{}]+\}$/.test(of);
}

/** Whether a template value is a function call. */
export function isCall(of: Json): boolean {
  return isJsonMap(of) && Object.keys(of).some((key) => key.startsWith("fn::"));
}

/** A reference to the value of a name, or to a part of it. */
export function referenceTo(name: string, path: readonly (string | number)[]): string {
  return `\${${name}${path.map(accessor).join("")}}`;
}

function accessor(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** A part of a converted value. */
export function partOf(of: Json, path: readonly (string | number)[]): Converted {
  let at: Json = of;
  for (const [index, step] of path.entries()) {
    if (isReference(at))
      return value(`${at.slice(0, -1)}${path.slice(index).map(accessor).join("")}}`);
    const next: Json | undefined =
      Array.isArray(at) && typeof step === "number"
        ? at[step]
        : isJsonMap(at) && !isCall(at) && Object.hasOwn(at, String(step))
          ? at[String(step)]
          : undefined;
    if (next === undefined) return cannot("It reads a part that the value may not have.");
    at = next;
  }
  return value(at);
}

/** The maximum length of a text, in characters. Texts that refer to texts could double with every line. */
const MAX_TEXT = 100_000;

/** Functions whose result is a text. */
const textCalls = ["fn::join", "fn::toJSON", "fn::toBase64", "fn::fromBase64"];

/** Joins parts to one text. Function calls among them make it a call of `fn::join`. */
export function joined(parts: readonly Json[]): Converted {
  if (
    parts.some((part) => Array.isArray(part) || part === null || (isJsonMap(part) && !isCall(part)))
  )
    return cannot("It makes a text of a list, a map or nothing.");
  const [only] = parts;
  if (parts.length === 1 && isJsonMap(only) && textCalls.some((name) => Object.hasOwn(only, name)))
    return value(only);
  if (parts.some(isCall)) return value({ "fn::join": ["", [...parts]] });
  const texts = parts.map(String).filter((text) => text !== "");
  // A dollar sign before a reference would escape it, and one before a brace would start a reference.
  if (texts.some((text, at) => /^\$?\{/.test(text) && texts[at - 1]?.endsWith("$") === true))
    return value({ "fn::join": ["", texts] });
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_TEXT ? cannot("It is too long.") : value(texts.join(""));
}

/** The part of a converted value at a path. */
export function partAt(of: Converted, path: readonly (string | number)[]): Converted {
  return of.kind === "value" && path.length > 0 ? partOf(of.value, path) : of;
}
