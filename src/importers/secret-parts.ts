/** Finds the parts of an expression that make up a secret, and removes them. */
import { isValueOfPair, namesSecret } from "./evaluate/secret-members.ts";
import { type Expression, withParts } from "./expression.ts";
import {
  hidden,
  isAboutSecret,
  isMarkedSecret,
  isSecretSetting,
  withoutLiterals,
} from "./hidden-values.ts";

/** Members and indexes, outermost first. {@link EACH} stands for every one. */
export type Path = readonly (string | number)[];

export const EACH = "*";

/** Functions and operators whose result contains all their arguments, unchanged or readable. */
const passingAll =
  /^(?:\?:|\.\.\.|coalesce|coalescelist|try|one|merge|concat|flatten|compact|values|reverse|sort|distinct|sum|setunion|setintersection|to(?:string|number|list|set|map)|(?:non)?sensitive|(?:json|yaml)(?:encode|decode)|csvdecode|base64(?:encode|decode|gzip)|url(?:encode|decode)|trimspace|chomp|trim|title|strrev|lower|upper|bcrypt|md5|(?:base64)?sha\d+)$/;
/** The same of only the first argument. */
const passingFirst =
  /^(?:element|slice|chunklist|setsubtract|matchkeys|replace|substr|trimprefix|trimsuffix|text(?:en|de)codebase64)$/;
/** The same of only the second argument. */
const passingSecond = /^(?:split|regex|regexall|indent|zipmap)$/;

/** ARM's functions whose result contains any of their arguments, or (in the group) the first one, at another path. */
const passingOfArm =
  /^(?:ARM .*|arm:(?:coalesce|createObject|replace)|(arm:(?:array|flatten|fromEnd|last|padLeft|string|substring|tryFromEnd|tryGet|(?:first|last|skip|take)\w*)))$/;

/** The parts of an expression, and whether each is a secret. */
export function partsWithin(at: Expression, isSecret: boolean): [Expression, boolean][] {
  switch (at.kind) {
    case "object": {
      const hasValue = at.members.some(({ name }) => isValueOfPair(name));
      const isNamed = hasValue && namesSecret(at.members);
      return at.members.map(({ name, value }) => [
        value,
        isSecretSetting(name) ||
          (isSecret && !isAboutSecret(name)) ||
          (isNamed && isValueOfPair(name)),
      ]);
    }
    case "list":
      return at.items.map((item) => [item, isSecret]);
    case "call":
      return at.args.map((arg, index) => [
        arg,
        (isSecret || at.name === "sensitive") && passes(at.name, index),
      ]);
    case "text":
      // One part of several may be as harmless as the host in a URL.
      return at.parts.map((part, index) => [
        part,
        (isSecret && at.parts.length === 1) || isMarkedSecret(at.parts, index),
      ]);
    case "for":
      return [
        [at.of, false],
        [at.value, isSecret],
      ];
    case "literal":
    case "reference":
    case "opaque":
      return [];
  }
}

/** Whether the result of a call contains this argument. */
function passes(name: string, index: number): boolean {
  if (name === "?:") return index > 0;
  const [isOfArm, ofFirst] = passingOfArm.exec(name) ?? [];
  if (isOfArm !== undefined) return ofFirst === undefined || index === 0;
  if (passingAll.test(name)) return true;
  return index === 0 ? passingFirst.test(name) : index === 1 && passingSecond.test(name);
}

function isPassing(name: string): boolean {
  return passes(name, 0) || passes(name, 1);
}

/** The parts of a secret expression that may contain the value at a path, each with the rest of the path. */
export function partsAt(at: Expression, path: Path): [Expression, Path][] {
  const [step, ...rest] = path;
  if (step !== undefined && at.kind === "object")
    return at.members
      .filter(({ name }) => step === EACH || name === String(step))
      .map(({ value }) => [value, rest]);
  if (step !== undefined && at.kind === "list")
    return at.items
      .filter((_, index) => step === EACH || index === Number(step))
      .map((item) => [item, rest]);
  if (at.kind === "call") {
    const [of, ...steps] = at.args;
    const within = steps.map(stepOf);
    if (of !== undefined && at.name === "[]") return [[of, [...within, ...path]]];
    if (of !== undefined && at.name === "[*]") return [[of, [EACH, ...within, ...path]]];
    if (of !== undefined && at.name === "lookup")
      return [
        [of, [...within.slice(0, 1), ...path]],
        ...steps.slice(1).map((other): [Expression, Path] => [other, path]),
      ];
    if (of !== undefined && at.name === "arm:tryGet")
      return [[of, [...within.slice(0, 1), ...path]]];
    const below = shifted(at.name, path);
    if (below !== undefined)
      return at.args
        .filter((_, index) => passes(at.name, index))
        .map((arg): [Expression, Path] => [arg, below]);
  }
  if (at.kind === "for") return [[at.value, path.slice(at.isGrouped ? 2 : 1)]];
  return partsWithin(at, true)
    .filter(([, isSecret]) => isSecret)
    .map(([part]) => [part, path]);
}

/** Functions whose result has the items of their arguments at other places. */
const movingItems =
  /^(?:concat|values|compact|reverse|sort|distinct|slice|setunion|setintersection|setsubtract|matchkeys|zipmap)$/;

/** Converts a path in the result of a call to one in its arguments; undefined for the same path. */
function shifted(name: string, path: Path): Path | undefined {
  if (/^(?:one|\.\.\.|element)$/.test(name)) return [EACH, ...path];
  // A part of the result may be anywhere in a text.
  if (/^(?:split|regex|regexall|.*decode.*)$/.test(name) || passingOfArm.test(name)) return [];
  if (path.length === 0) return undefined;
  const rest = path.slice(1);
  if (name === "flatten") return [EACH, EACH, ...rest];
  if (name === "chunklist") return [EACH, ...rest.slice(1)];
  return movingItems.test(name) ? [EACH, ...rest] : undefined;
}

/** The step of an index argument. A computed index may be any. */
function stepOf(index: Expression): string | number {
  const { value } = index.kind === "literal" ? index : { value: null };
  return typeof value === "string" || typeof value === "number" ? value : EACH;
}

/** Hides the literals in the part at a path. Returns the same expression if there are none. */
export function withoutSecret(expression: Expression, path: Path, line: number): Expression {
  if (expression.kind === "literal") {
    const { value } = expression;
    // The address of a secret elsewhere is not the secret.
    const isKept =
      value === "" ||
      (typeof value !== "string" && typeof value !== "number") ||
      String(value).startsWith("arn:");
    return isKept ? expression : hidden(line);
  }
  const isComputed =
    expression.kind === "call" &&
    !/^(?:\[\]|\[\*\]|lookup)$/.test(expression.name) &&
    !isPassing(expression.name);
  if (expression.kind === "text" || expression.kind === "opaque" || isComputed)
    return withoutLiterals(expression, line);
  const parts = new Map(partsAt(expression, path));
  let isSame = true;
  const change = (part: Expression): Expression => {
    const rest = parts.get(part);
    const left = rest === undefined ? part : withoutSecret(part, rest, line);
    isSame &&= left === part;
    return left;
  };
  const changed = withParts(expression, change);
  return isSame ? expression : changed;
}
