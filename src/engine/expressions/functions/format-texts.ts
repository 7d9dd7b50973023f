import { type Call, placeAt, refused, textAt } from "#engine/expressions/function-entry.ts";
import { measure, sealedResult } from "#engine/expressions/values/measure.ts";
import { isSealed } from "#engine/expressions/values/outcome.ts";
import { sealedValue } from "#engine/expressions/values/sealed-value.ts";
import { sortedKeys } from "#engine/expressions/values/sorted-keys.ts";
import { textOfSealed } from "#engine/expressions/values/text-of.ts";
import { kindOf } from "#engine/kind-of.ts";
import { isMap, reveal, Secret, unknownOf, type Value } from "#engine/value.ts";
import { canonicalJson } from "#platform/json.ts";

const CLAUSE = /%(?:%|(?:\.([0-9]{1,9}))?([a-zA-Z]))?/g;
const DEFAULT_PRECISION = 6;
/** Of the built-in conversions. */
const MAX_PRECISION = 100;

const PADDED =
  'There is no width: write zeros yourself, as in `n < 10 ? "0" + string(n) : string(n)`.';

/** The form with its clauses replaced by the values. Only `%s` takes a sealed value. */
export function formatTexts(call: Call): Value {
  const form = textAt(call, 0);
  const values = givenList(call.given[1]);
  const parts: (string | undefined)[] = [];
  // The length of a sealed text must not show, so it counts by its measure.
  let counted = form.length;
  let [used, position, sealed] = [0, 0, false];
  for (const match of form.matchAll(CLAUSE)) {
    const [clause, precision, verb] = match;
    parts.push(form.slice(position, match.index));
    position = match.index + clause.length;
    if (clause === "%%") parts.push("%");
    else {
      const value = values[used];
      used += 1;
      if (verb === undefined)
        throw refused(
          call,
          0,
          "takes a verb after `%`.",
          /^[-+0-9]/.test(form.slice(position)) ? PADDED : "Write `%%` for a percent sign.",
        );
      if (value === undefined)
        throw refused(call, 1, `has no value for clause ${used}: the list has ${values.length}.`);
      const measured = measure(value);
      if (measured.sealed && verb !== "s") throw sealedValue(`\`%${verb}\``, placeAt(call, 1));
      const text = measured.unknown ? undefined : new Clause(call, verb, precision).text(value);
      sealed ||= measured.sealed;
      counted += measured.sealed ? measured.size : (text ?? "").length;
      call.budget.spendOnText(counted, call.at);
      parts.push(text);
    }
  }
  parts.push(form.slice(position));
  const result = parts.includes(undefined) ? unknownOf("string") : parts.join("");
  return sealed ? sealedResult(result, counted) : result;
}

function givenList(given: Value | undefined): readonly Value[] {
  const bare = given instanceof Secret ? given.value : given;
  return Array.isArray(bare) ? bare : [];
}

class Clause {
  readonly #call: Call;
  readonly #verb: string;
  readonly #precision: number;

  constructor(call: Call, verb: string, precision: string | undefined) {
    this.#call = call;
    this.#verb = verb;
    this.#precision = precision === undefined ? DEFAULT_PRECISION : Number(precision);
    if (this.#precision > MAX_PRECISION)
      throw refused(call, 0, `takes at most ${MAX_PRECISION} digits after the point.`);
  }

  text(value: Value): string {
    const bare = value instanceof Secret && !value.sealed ? value.value : value;
    switch (this.#verb) {
      case "s":
        return readable(bare);
      case "d":
        return String(this.#whole(bare));
      case "f":
        return fixed(this.#number(bare), this.#precision);
      case "e":
        return scientific(this.#number(bare), this.#precision);
      case "b":
        return (typeof bare === "boolean" ? Number(bare) : this.#whole(bare)).toString(2);
      case "o":
        return this.#whole(bare).toString(8);
      case "x":
        return this.#hexadecimal(bare);
      case "X":
        return this.#hexadecimal(bare).toUpperCase();
      default:
        throw refused(
          this.#call,
          0,
          `has no verb \`%${this.#verb}\`.`,
          "The verbs are `%s`, `%d`, `%f`, `%e`, `%b`, `%o`, `%x` and `%X`.",
        );
    }
  }

  #number(value: Value): number {
    if (typeof value === "number") return value;
    throw this.#wrong("a number", value);
  }

  #whole(value: Value): number {
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    throw this.#wrong("a whole number", value);
  }

  #hexadecimal(value: Value): string {
    if (typeof value !== "string") return this.#whole(value).toString(16);
    this.#call.budget.spendOnText(value.length * 2, this.#call.at);
    return Array.from(new TextEncoder().encode(value), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
  }

  #wrong(wanted: string, value: Value) {
    const given = typeof value === "number" ? "a fraction" : kindOf(value);
    return refused(this.#call, 1, `takes ${wanted} for \`%${this.#verb}\`, not ${given}.`);
  }
}

/** As CEL shows values to people: texts without quotes. */
function readable(value: Value): string {
  if (isSealed(value)) {
    const text = textOfSealed(value);
    return typeof text === "string" ? text : "";
  }
  if (value instanceof Secret) return readable(value.value);
  if (Array.isArray(value)) return `[${value.map(readable).join(", ")}]`;
  if (typeof value === "string") return value;
  if (!isMap(value)) return canonicalJson(reveal(value));
  const entries = sortedKeys(value).map((key) => `${key}: ${readable(value[key] ?? null)}`);
  return `{${entries.join(", ")}}`;
}

/** Half of the last digit rounds to an even digit, as in CEL; `toFixed` rounds it up. */
function fixed(value: number, precision: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? "-" : "";
  if (size >= 1e21)
    return `${sign}${BigInt(size)}${precision > 0 ? `.${"0".repeat(precision)}` : ""}`;
  if (precision < MAX_PRECISION) {
    const long = size.toFixed(MAX_PRECISION);
    const cut = long.length - MAX_PRECISION + precision;
    const kept = long.slice(0, precision === 0 ? cut - 1 : cut);
    if (/^50*$/.test(long.slice(cut)) && /[02468]$/.test(kept)) return `${sign}${kept}`;
  }
  return `${sign}${size.toFixed(precision)}`;
}

/** With at least two digits of the exponent. */
function scientific(value: number, precision: number): string {
  return value.toExponential(precision).replace(/([+-])([0-9])$/, "$10$2");
}
