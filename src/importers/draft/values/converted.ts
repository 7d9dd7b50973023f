import { FUNCTION } from "#engine/template/expressions.ts";
import type { Json } from "#platform/json.ts";
import { isJsonMap } from "#platform/json.ts";

/** What an expression of the source is in a template. */
export type Converted =
  | { kind: "value"; value: Json }
  /** It stands for no value: what it would be given to has its default. */
  | { kind: "absent"; reason: string }
  /**
   * Our language has no words for it. `isKnownElsewhere`: it is a value of something outside the draft, which a config
   * value can stand for wherever it is used. `isSecret`: what stands for it has to be a secret.
   */
  | { kind: "cannot"; reason: string; isKnownElsewhere?: true; isSecret?: boolean };

export function value(of: Json): Converted {
  return { kind: "value", value: of };
}

export function cannot(reason: string, isSecret = false): Converted {
  return { kind: "cannot", reason, isSecret };
}

/** A value that the source writes out and that could be a secret: a template is no place for it. */
export function secret(): Converted {
  return {
    kind: "cannot",
    reason: "The source writes it out; it could be a secret.",
    isSecret: true,
  };
}

/** A literal text of the source, which a template must not read as an expression. */
export function escaped(text: string): string {
  return text.replaceAll("${", () => "$${");
}

/** The name of a map's member as a template writes it. Undefined: a template would call a function of that name. */
export function memberName(name: string): string | undefined {
  return namesCall(name) ? undefined : escaped(name);
}

/** Why a member has no name in a template. */
export const calledName = "A template would call a function of this name.";

export function namesCall(name: string): boolean {
  return FUNCTION.test(name);
}

/** Whether a value of a template is one reference and nothing else. */
export function isReference(of: Json): of is `\${${string}}` {
  return typeof of === "string" && /^\$\{[^{}]+\}$/.test(of);
}

/** Whether a value of a template is a call of a function. */
export function isCall(of: Json): boolean {
  return isJsonMap(of) && Object.keys(of).some((key) => key.startsWith("fn::"));
}

/** A reference to what a name stands for, or to a part of it. */
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

/** A text longer than this is no part of a template; a text that refers to texts could double with every line. */
const MAX_TEXT = 100_000;

/** A text of several parts; parts that only a function can say make it a call of `fn::join`. */
export function joined(parts: readonly Json[]): Converted {
  if (
    parts.some((part) => Array.isArray(part) || part === null || (isJsonMap(part) && !isCall(part)))
  )
    return cannot("It makes a text of a list, a map or nothing.");
  if (parts.some(isCall)) return value({ "fn::join": ["", [...parts]] });
  const texts = parts.map(String).filter((text) => text !== "");
  // A dollar sign before a reference would make a text of it, and one before a brace a reference.
  if (texts.some((text, at) => /^\$?\{/.test(text) && texts[at - 1]?.endsWith("$") === true))
    return value({ "fn::join": ["", texts] });
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_TEXT ? cannot("It is too long.") : value(texts.join(""));
}

/** The part at a path of a value that could be converted. */
export function partAt(of: Converted, path: readonly (string | number)[]): Converted {
  return of.kind === "value" && path.length > 0 ? partOf(of.value, path) : of;
}
