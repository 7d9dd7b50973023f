/** Terraform's `format`: https://developer.hashicorp.com/terraform/language/functions/format */
import { asNumber, asText, asTruth } from "./decided.ts";
import { MAX_TEXT } from "./deciding.ts";
import type { Decided } from "./scope.ts";

/** A verb with its signs: `%-5.2f`, `%[2]s`. */
interface Verb {
  letter: string;
  signs: string;
  width: number | undefined;
  precision: number | undefined;
}

const MAX_WIDTH = 1_000;
const MAX_PRECISION = 20;
/** In other texts, the numbers of letters and of characters differ. */
const plain = /^[\t\n\r\x20-\x7e]*$/;
const verbs = /%(?:(%)|([ +#0-]*)(\d+)?(?:\.(\d+))?(?:\[(\d+)\])?([A-Za-z])|)/g;

/** Undefined: a value is open, Terraform refuses the call, or a verb is not known here. */
export function formatted(
  pattern: Decided | undefined,
  args: readonly (Decided | undefined)[],
): string | undefined {
  const text = asText(pattern);
  const length = args.reduce((sum, arg) => sum + (asText(arg)?.length ?? 0), text?.length ?? 0);
  if (text === undefined || length > 2 * MAX_TEXT) return undefined;
  let next = 0;
  let used = 0;
  let characters = 0;
  let isKnown = true;
  const made = text.replaceAll(verbs, (...found: readonly unknown[]) => {
    const [, percent, signs = "", width, precision, index, letter] = found.slice(0, 7) as (
      | string
      | undefined
    )[];
    if (percent !== undefined) return "%";
    if (index !== undefined) next = Number(index) - 1;
    const verb: Verb = {
      letter: letter ?? "",
      signs,
      width: width === undefined ? undefined : Number(width),
      precision: precision === undefined ? undefined : Number(precision),
    };
    const one = isKnown ? written(verb, args[next]) : undefined;
    next += 1;
    used = Math.max(used, next);
    characters += one?.length ?? 0;
    isKnown &&= one !== undefined && characters <= MAX_TEXT;
    return one ?? "";
  });
  return isKnown && used === args.length ? made : undefined;
}

function written(verb: Verb, given: Decided | undefined): string | undefined {
  const { letter, signs, width = 0, precision = 0 } = verb;
  if (given?.kind !== "literal" || width > MAX_WIDTH || precision > MAX_PRECISION) return undefined;
  switch (letter) {
    case "v":
      if (signs.includes("#")) return quoted(verb, given);
      return paddedText(given.value === null ? "null" : String(given.value), verb);
    case "s":
      return cutText(asText(given), verb);
    case "q":
      return quoted(verb, given);
    case "t":
      return asTruth(given)?.toString();
    case "d":
    case "b":
    case "o":
    case "x":
    case "X":
      return integer(asNumber(given), verb);
    case "f":
      return decimal(asNumber(given), verb);
    default:
      return undefined;
  }
}

function cutText(text: string | undefined, verb: Verb): string | undefined {
  const { precision } = verb;
  if (text === undefined || precision === undefined) return text && paddedText(text, verb);
  // Versions of Terraform differ in the meaning of the precision 0.
  return precision === 0 || !plain.test(text)
    ? undefined
    : paddedText(text.slice(0, precision), verb);
}

/** As JSON. Terraform escapes some signs that JSON does not. */
function quoted(verb: Verb, given: Decided & { kind: "literal" }): string | undefined {
  const { letter, precision } = verb;
  const value = letter === "q" ? asText(given) : given.value;
  if (value === undefined || precision !== undefined) return undefined;
  const isKnown = typeof value !== "string" || (plain.test(value) && !/[<>&]/.test(value));
  return isKnown ? paddedText(JSON.stringify(value), verb) : undefined;
}

function paddedText(text: string, { signs, width }: Verb): string | undefined {
  if (width === undefined) return text;
  if (!plain.test(text)) return undefined;
  const fill = signs.includes("0") ? "0" : " ";
  return signs.includes("-") ? text.padEnd(width, fill) : text.padStart(width, fill);
}

const bases: Readonly<Record<string, number>> = { d: 10, b: 2, o: 8, x: 16, X: 16 };

function integer(number: number | undefined, verb: Verb): string | undefined {
  const { letter, precision, signs } = verb;
  if (number === undefined || !Number.isSafeInteger(number)) return undefined;
  if (precision !== undefined || signs.includes("#")) return undefined;
  const digits = Math.abs(number).toString(bases[letter]);
  return signed(number < 0, letter === "X" ? digits.toUpperCase() : digits, verb);
}

/** Undefined: the number lies in the middle of two, and Terraform's is more exact than ours. */
function decimal(number: number | undefined, verb: Verb): string | undefined {
  const { precision = 6 } = verb;
  const text = number === undefined ? "" : String(Math.abs(number));
  if (number === undefined || !/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const rest = (text.split(".")[1] ?? "").slice(precision);
  return rest === "5" ? undefined : signed(number < 0, Math.abs(number).toFixed(precision), verb);
}

function signed(isNegative: boolean, digits: string, { signs, width = 0 }: Verb): string {
  const sign = isNegative ? "-" : signs.includes("+") ? "+" : signs.includes(" ") ? " " : "";
  if (signs.includes("-")) return (sign + digits).padEnd(width);
  return signs.includes("0")
    ? sign + digits.padStart(width - sign.length, "0")
    : (sign + digits).padStart(width);
}
