/** Terraform's functions of texts that are no search, for arguments that the files decide. */
import { asNumber, asText, decidedList, decidedLiteral, failed } from "./decided.ts";
import { type Function_, MAX_TEXT } from "./deciding.ts";
import { formatted } from "./formatted-text.ts";
import type { Literal } from "./scope.ts";

const MAX_PATH = 1_000;
/** In other texts, the numbers of letters and of characters differ. */
const plain = /^[\t\n\r\x20-\x7e]*$/;

/** Only for texts: numbers would be converted first. */
export const ofTexts =
  (compute: (...texts: string[]) => Literal | undefined): Function_ =>
  (args) => {
    const texts = args.map(asText).filter((one) => one !== undefined);
    if (texts.length !== args.length || texts.length < compute.length) return undefined;
    const made = compute(...texts);
    return made === undefined ? undefined : decidedLiteral(made);
  };

/** `substr(text, offset, length)`: a negative offset counts from the end, and the length -1 is the rest. */
const substr: Function_ = ([of, ...ends]) => {
  const text = asText(of);
  const [offset, length] = ends.map(asNumber);
  if (text === undefined || offset === undefined || length === undefined || !plain.test(text))
    return undefined;
  const start = offset < 0 ? Math.max(0, text.length + offset) : offset;
  if (length < -1) return failed;
  return decidedLiteral(text.slice(start, length === -1 ? undefined : start + length));
};

const format: Function_ = ([pattern, ...args]) => {
  const made = formatted(pattern, args);
  return made === undefined ? undefined : decidedLiteral(made);
};

/** As `format`, once for each item of the lists, which are of one length. Single values are repeated. */
const formatList: Function_ = ([pattern, ...args], { decide, literal, scope, spend }) => {
  const lengths = new Set(args.flatMap((arg) => (arg.kind === "list" ? [arg.items.length] : [])));
  const [length] = lengths;
  if (length === undefined) return undefined;
  if (lengths.size > 1) return failed;
  if (!spend(length * (args.length + 1))) return undefined;
  const texts: string[] = [];
  let characters = 0;
  for (let at = 0; at < length; at += 1) {
    const given = args.map((arg) => {
      const item = arg.kind === "list" ? arg.items[at] : undefined;
      return item === undefined ? arg : decide(item);
    });
    const made = formatted(pattern, given);
    characters += made?.length ?? 0;
    if (made === undefined || characters > MAX_TEXT) return undefined;
    texts.push(made);
  }
  return decidedList(texts.map((text) => literal(text, scope)));
};

/** `indent(spaces, text)`: all lines but the first. */
const indent: Function_ = ([width, of]) => {
  const [spaces, text] = [asNumber(width), asText(of)];
  if (spaces === undefined || text === undefined) return undefined;
  if (!Number.isInteger(spaces) || spaces < 0) return failed;
  const lines = text.split("\n");
  if (spaces > MAX_TEXT || text.length + lines.length * spaces > MAX_TEXT) return undefined;
  return decidedLiteral(lines.join(`\n${" ".repeat(spaces)}`));
};

const parseint: Function_ = ([of, base]) => {
  const [text, radix] = [asText(of), asNumber(base)];
  if (text === undefined || radix === undefined) return undefined;
  const digits = "0123456789abcdefghijklmnopqrstuvwxyz".slice(0, radix);
  const isRead = radix >= 2 && radix <= 36 && new RegExp(`^-?[${digits}]{1,50}$`, "i").test(text);
  const number = isRead ? Number.parseInt(text, radix) : undefined;
  if (number === undefined) return failed;
  return Number.isSafeInteger(number) ? decidedLiteral(number) : undefined;
};

function trimmed(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start += 1;
  return text.slice(start, Math.max(start, endOf(text, signs)));
}

/** The end of a text without these signs at its end. */
function endOf(text: string, signs: string): number {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

export const textFunctions: readonly (readonly [string, Function_])[] = [
  ["format", format],
  ["formatlist", formatList],
  ["substr", substr],
  ["indent", indent],
  ["parseint", parseint],
  ["lower", ofTexts((text) => text.toLowerCase())],
  ["upper", ofTexts((text) => text.toUpperCase())],
  [
    "title",
    ofTexts((text) =>
      plain.test(text)
        ? text.replaceAll(/(?<![A-Za-z0-9_])[a-z]/g, (letter) => letter.toUpperCase())
        : undefined,
    ),
  ],
  [
    "strrev",
    ofTexts((text) => (plain.test(text) ? text.split("").toReversed().join("") : undefined)),
  ],
  ["trimspace", ofTexts((text) => text.trim())],
  ["chomp", ofTexts((text) => text.slice(0, endOf(text, "\r\n")))],
  ["trim", ofTexts((text, signs) => (signs.length > 100 ? undefined : trimmed(text, signs)))],
  [
    "trimprefix",
    ofTexts((text, start) => (text.startsWith(start) ? text.slice(start.length) : text)),
  ],
  [
    "trimsuffix",
    ofTexts((text, end) => (end !== "" && text.endsWith(end) ? text.slice(0, -end.length) : text)),
  ],
  ["startswith", ofTexts((text, start) => text.startsWith(start))],
  ["endswith", ofTexts((text, end) => text.endsWith(end))],
  [
    "basename",
    ofTexts((path) => (isNamed(path) ? path.slice(path.lastIndexOf("/") + 1) : undefined)),
  ],
  [
    "dirname",
    ofTexts((path) => {
      const end = path.lastIndexOf("/");
      if (!isNamed(path)) return undefined;
      return end === -1 ? "." : path.slice(0, end) || "/";
    }),
  ],
];

/** Whether all parts of a path are names. */
function isNamed(path: string): boolean {
  const names = path.slice(0, MAX_PATH).split("/");
  if (names[0] === "") names.shift();
  return (
    path.length <= MAX_PATH &&
    names.every((name) => /^[\w.-]+$/.test(name) && !/^\.\.?$/.test(name))
  );
}
