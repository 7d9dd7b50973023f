/** ARM's functions of texts. */
import {
  call,
  isNull,
  list,
  lowered,
  numberIn,
  textIn,
  truthIn,
} from "#importers/arm/values/known-values.ts";
import { madeList, madeOfText } from "#importers/arm/values/made-values.ts";
import { parsedText } from "#importers/evaluate/json-text.ts";
import { type Expression, literal } from "#importers/expression.ts";
import { flatText, isTextPart, withinRepeats } from "#importers/text/joined-text.ts";
import { isJsonMap, readJson } from "#platform/json.ts";
import { type ArmFunction, type ArmFunctions, type CallPlace, MAX_MADE } from "./arm-function.ts";

/** A part as a text: ARM writes booleans in capitals. */
export function asText(part: Expression, place: CallPlace): Expression | undefined {
  if (part.kind === "literal") {
    if (part.value === null) return undefined;
    if (typeof part.value === "boolean") return literal(part.value ? "True" : "False");
    return literal(String(part.value));
  }
  if (!isTextPart(part)) return undefined;
  return place.typeOf(part) === "bool"
    ? call("?:", [part, literal("True"), literal("False")], place.line)
    : part;
}

function joinedTexts(parts: readonly Expression[], place: CallPlace): Expression | undefined {
  const texts: Expression[] = [];
  let length = 0;
  for (const part of parts) {
    const text = asText(part, place);
    if (text === undefined) return undefined;
    length += textIn(text)?.length ?? 0;
    if (length > MAX_MADE) return undefined;
    texts.push(text);
  }
  return place.spend(texts.length + length / 32) && withinRepeats(texts)
    ? flatText(texts, place.line)
    : undefined;
}

const concat: ArmFunction = (args, place) => {
  const types = args.map(place.typeOf);
  if (types.includes("array")) {
    if (args.every((arg) => arg.kind === "list"))
      return madeList(
        args.flatMap((arg) => (arg.kind === "list" ? arg.items : [])),
        place.line,
      );
    return types.every((type) => type === "array" || type === undefined)
      ? call("concat", args, place.line)
      : undefined;
  }
  if (args.length > 1 && types.every((type) => type === undefined))
    return call("concat", args, place.line);
  return args.length > 0 ? joinedTexts(args, place) : undefined;
};

/** `format('{0}-{1:D2}', …)`, with number formats of digits alone. */
const format: ArmFunction = ([pattern, ...args], place) => {
  const text = textIn(pattern);
  if (text === undefined) return undefined;
  const parts: Expression[] = [];
  for (const piece of text.split(/(\{\{|\}\}|\{[0-9]{1,3}(?::[A-Za-z][0-9]{0,2})?\})/)) {
    const [, index, form] = /^\{([0-9]+)(?::(.+))?\}$/.exec(piece) ?? [];
    if (index === undefined) {
      if (piece === "{{" || piece === "}}") parts.push(literal(piece.charAt(0)));
      else if (/[{}]/.test(piece)) return undefined;
      else if (piece !== "") parts.push(literal(piece));
      continue;
    }
    const arg = args[Number(index)];
    if (arg === undefined) return undefined;
    const made = form === undefined ? formatted(arg, place) : withDigits(arg, form, place);
    if (made === undefined) return undefined;
    parts.push(made);
  }
  return joinedTexts(parts, place);
};

/** .NET writes null as nothing. */
function formatted(arg: Expression, place: CallPlace): Expression | undefined {
  return isNull(arg) ? literal("") : asText(arg, place);
}

function withDigits(arg: Expression, form: string, place: CallPlace): Expression | undefined {
  const [, kind = "", width = ""] = /^([A-Za-z])(\d*)$/.exec(form) ?? [];
  const known = numberIn(arg);
  const digits = Number(width);
  if (/^d$/i.test(kind)) {
    if (known === undefined)
      return place.typeOf(arg) === "int" && digits > 0
        ? padded([call("tostring", [arg], place.line), literal(digits), literal("0")], place)
        : undefined;
    return literal(`${known < 0 ? "-" : ""}${String(Math.abs(known)).padStart(digits, "0")}`);
  }
  if (/^x$/i.test(kind) && known !== undefined && known >= 0) {
    const hex = known.toString(16).padStart(digits, "0");
    return literal(kind === "X" ? hex.toUpperCase() : hex);
  }
  return undefined;
}

const padded: ArmFunction = ([of, width, fill], { line }) => {
  const count = numberIn(width);
  const sign = fill === undefined ? " " : textIn(fill);
  if (of === undefined || count === undefined || sign?.length !== 1) return undefined;
  if (!Number.isInteger(count) || count < 0 || count > MAX_PADDING) return undefined;
  const known = of.kind === "literal" && of.value !== null ? String(of.value) : undefined;
  return known === undefined
    ? call("arm:padLeft", [of, literal(sign.repeat(count))], line)
    : literal(known.padStart(count, sign));
};

const MAX_PADDING = 100;

/** A function of known texts, or the call of another name. */
function ofTexts(
  compute: (...texts: string[]) => string | boolean | undefined,
  open?: (args: readonly Expression[], place: CallPlace) => Expression | undefined,
): ArmFunction {
  return (args, place) => {
    const texts = args.map(textIn);
    if (!texts.every((text) => text !== undefined)) return open?.(args, place);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (!place.spend(1 + length / 32)) return undefined;
    const made = compute(...texts);
    return made === undefined ? undefined : literal(made);
  };
}

const open =
  (name: string, count = 1) =>
  (args: readonly Expression[], { line }: CallPlace): Expression | undefined =>
    args.length === count ? call(name, args, line) : undefined;

/** ARM ignores the case of both texts. */
const ignoringCase =
  (name: string) =>
  (args: readonly Expression[], { line }: CallPlace): Expression | undefined =>
    args.length === 2
      ? call(
          name,
          args.map((arg) => lowered(arg, line)),
          line,
        )
      : undefined;

const substring: ArmFunction = ([of, start, length], { line, spend }) => {
  const from = numberIn(start);
  const count = length === undefined ? undefined : numberIn(length);
  if (of === undefined || start === undefined || (from ?? 0) < 0 || (count ?? 0) < 0)
    return undefined;
  if (from === undefined || (length !== undefined && count === undefined)) {
    const end = length === undefined ? [] : [call("+", [start, length], line)];
    return call("arm:substring", [of, start, ...end], line);
  }
  const known = textIn(of);
  const end = count === undefined ? [] : [literal(from + count)];
  if (known === undefined) return call("arm:substring", [of, literal(from), ...end], line);
  if (from + (count ?? 0) > known.length || !spend(1 + known.length / 32)) return undefined;
  return literal(known.slice(from, count === undefined ? undefined : from + count));
};

/** The maximum number of a text's delimiters, and their length. */
const MAX_SIGNS = 20;
const MAX_SIGN = 100;

const split: ArmFunction = ([of, delimiters], { line, spend }) => {
  const signs = delimiters?.kind === "list" ? delimiters.items.map(textIn) : [textIn(delimiters)];
  const isSign = (sign: string | undefined) =>
    sign !== undefined && sign !== "" && sign.length <= MAX_SIGN;
  if (of === undefined || signs.length > MAX_SIGNS || !signs.every(isSign)) return undefined;
  const [first = "", ...others] = signs.filter((sign) => sign !== undefined);
  const known = textIn(of);
  if (known === undefined) {
    const one = others.reduce<Expression>(
      (text, sign) => call("arm:replace", [text, literal(sign), literal(first)], line),
      of,
    );
    return call("split", [literal(first), one], line);
  }
  if (known.length > MAX_MADE || !spend(1 + known.length / 4)) return undefined;
  const pattern = [first, ...others].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return list(known.split(new RegExp(pattern.join("|"))).map(literal));
};

const join: ArmFunction = ([items, separator], place) => {
  const sign = textIn(separator);
  if (items === undefined || sign === undefined) return undefined;
  if (items.kind !== "list") return call("join", [literal(sign), items], place.line);
  const parts = items.items.flatMap((item, at) => (at === 0 ? [item] : [literal(sign), item]));
  return parts.length === 0 ? literal("") : joinedTexts(parts, place);
};

const string: ArmFunction = ([of], place) => {
  if (of === undefined) return undefined;
  if (of.kind === "literal") return asText(of, place);
  const plain = jsonText(of, place);
  if (plain !== undefined) return literal(plain);
  const type = place.typeOf(of);
  if (type === "string") return of;
  if (type === "array" || type === "object") return call("jsonencode", [of], place.line);
  if (type === "bool") return asText(of, place);
  return call(type === "int" ? "tostring" : "arm:string", [of], place.line);
};

/** The JSON of a known list or object, with its members in their order. */
function jsonText(of: Expression, place: CallPlace): string | undefined {
  if (of.kind === "literal") {
    const text = JSON.stringify(of.value);
    return place.spend(1 + text.length / 32) ? text : undefined;
  }
  if (of.kind === "list") {
    const items = joinedJson(of.items, (item) => jsonText(item, place));
    return items === undefined ? undefined : `[${items}]`;
  }
  if (of.kind !== "object") return undefined;
  const members = joinedJson(of.members, ({ name, value }) => {
    const text = jsonText(value, place);
    return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`;
  });
  return members === undefined ? undefined : `{${members}}`;
}

function joinedJson<Part>(
  parts: readonly Part[],
  textOf: (part: Part) => string | undefined,
): string | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const part of parts) {
    const text = textOf(part);
    length += text?.length ?? 0;
    if (text === undefined || length > MAX_MADE) return undefined;
    texts.push(text);
  }
  return texts.join(",");
}

function encoded(text: string): string | undefined {
  if (text.length > MAX_MADE) return undefined;
  let binary = "";
  for (const byte of bytesOf(text)) binary += String.fromCodePoint(byte);
  return btoa(binary);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decoded(text: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.codePointAt(0) ?? 0);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

function component(text: string): string | undefined {
  try {
    return encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
    );
  } catch {
    return undefined;
  }
}

function fromComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** ARM replaces the last segment of a base that does not end in a slash. */
const uri: ArmFunction = ([base, relative], place) => {
  if (base === undefined || relative === undefined) return undefined;
  const known = textIn(base);
  const first = relative.kind === "text" ? textIn(relative.parts[0]) : textIn(relative);
  if (first === undefined || /^[/?#]|^[a-z][a-z+.-]*:/i.test(first)) return undefined;
  if (known === undefined) return call("arm:uri", [base, relative], place.line);
  const start = /^[a-z]+:\/\/[^/]*$/i.test(known) ? `${known}/` : known.replace(/[^/]*$/, "");
  return joinedTexts([literal(start), relative], place);
};

const json: ArmFunction = (args, place) => {
  const text = textIn(args[0]);
  if (text === undefined)
    return args.length === 1 ? call("jsondecode", args, place.line) : undefined;
  return ofJson(text, place);
};

function ofJson(text: string, { line, spend }: CallPlace): Expression | undefined {
  if (text.length > MAX_MADE || !spend(1 + text.length / 8)) return undefined;
  const several = parsedText(literal(text), line);
  if (several !== undefined) return madeOfText(several, line);
  // The text may nest too deep.
  const only = /^\s*[{[]/.test(text) ? undefined : readJson(text);
  return only === undefined || isJsonMap(only) || Array.isArray(only) ? undefined : literal(only);
}

const base64ToJson: ArmFunction = ([of], place) => {
  if (of === undefined) return undefined;
  const known = textIn(of);
  if (known === undefined)
    return call("jsondecode", [call("base64decode", [of], place.line)], place.line);
  const text = place.spend(1 + known.length / 32) ? decoded(known) : undefined;
  return text === undefined ? undefined : ofJson(text, place);
};

const replace: ArmFunction = (args, { line, spend }) => {
  const [text, from, to] = args.map(textIn);
  if (args.length !== 3 || from === "") return undefined;
  if (text === undefined || from === undefined || to === undefined)
    return call("arm:replace", args, line);
  if (text.length > MAX_MADE) return undefined;
  const pieces = text.split(from);
  const length = text.length + (pieces.length - 1) * (to.length - from.length);
  return length <= MAX_MADE && spend(1 + (text.length + length) / 32)
    ? literal(pieces.join(to))
    : undefined;
};

const truth: ArmFunction = ([of], { line, typeOf }) => {
  if (of === undefined) return undefined;
  const known = truthIn(of);
  if (known !== undefined) return of;
  const text = textIn(of)?.toLowerCase() ?? numberIn(of);
  if (text !== undefined)
    return text === "true" || text === 1
      ? literal(true)
      : text === "false" || text === 0
        ? literal(false)
        : undefined;
  if (typeOf(of) === "bool") return of;
  return typeOf(of) === "string"
    ? call("==", [lowered(of, line), literal("true")], line)
    : undefined;
};

export const textFunctions: ArmFunctions = [
  ["concat", concat],
  ["format", format],
  ["padleft", padded],
  ["substring", substring],
  ["split", split],
  ["join", join],
  ["string", string],
  ["uri", uri],
  ["json", json],
  ["replace", replace],
  ["bool", truth],
  ["tolower", ofTexts((text) => text.toLowerCase(), open("lower"))],
  ["toupper", ofTexts((text) => text.toUpperCase(), open("upper"))],
  ["trim", ofTexts((text) => text.trim(), open("trimspace"))],
  [
    "startswith",
    ofTexts(
      (text, start = "") => text.toLowerCase().startsWith(start.toLowerCase()),
      ignoringCase("startswith"),
    ),
  ],
  [
    "endswith",
    ofTexts(
      (text, end = "") => text.toLowerCase().endsWith(end.toLowerCase()),
      ignoringCase("endswith"),
    ),
  ],
  ["base64", ofTexts(encoded, open("base64encode"))],
  ["base64tostring", ofTexts(decoded, open("base64decode"))],
  ["base64tojson", base64ToJson],
  [
    "datauri",
    ofTexts((text) => {
      const known = encoded(text);
      return known === undefined ? undefined : `data:text/plain;charset=utf8;base64,${known}`;
    }),
  ],
  [
    "datauritostring",
    ofTexts((text) => {
      const [, isBase64, rest = ""] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(text) ?? [];
      return isBase64 === undefined ? fromComponent(rest) : decoded(rest);
    }),
  ],
  ["uricomponent", ofTexts(component)],
  ["uricomponenttostring", ofTexts(fromComponent)],
];
