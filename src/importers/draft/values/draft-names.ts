/**
 * The names of a draft's config values and resources share one namespace. These are reserved: by the language, and for
 * the variables of loops that the source does not name.
 */
const reserved = new Set([
  "constructor",
  "control",
  "each",
  "false",
  "in",
  "nth",
  "null",
  "one",
  "prototype",
  "pulumi",
  "true",
]);
const MAX_LENGTH = 60;

export class DraftNames {
  readonly #taken = new Set<string>(reserved);
  /** The last number given to each repeated name. */
  readonly #numbers = new Map<string, number>();

  /** A free name like the wanted one: `main_vpc`, `main-vpc` and `MainVpc` become `mainVpc`. */
  take(wanted: string): string {
    const base = spelled(wanted);
    let name = base;
    const stem = base.slice(0, MAX_LENGTH - 6);
    let number = this.#numbers.get(stem) ?? 1;
    while (this.#taken.has(name)) {
      number += 1;
      name = `${stem}${number}`;
    }
    if (number > 1) this.#numbers.set(stem, number);
    this.#taken.add(name);
    return name;
  }
}

/** The name as templates spell it, whether it is free or not. */
export function spelled(wanted: string): string {
  const words = wanted
    .slice(0, 256)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const joined = words
    .map((word, at) => (at === 0 ? lowerFirst(word) : upperFirst(word)))
    .join("")
    .slice(0, MAX_LENGTH);
  return /^[A-Za-z]/.test(joined) ? joined : `r${joined}`.slice(0, MAX_LENGTH);
}

/** An acronym is one word: `VPC` becomes `vpc`, `DBName` `dbName`. */
function lowerFirst(word: string): string {
  if (/^[A-Z0-9]+$/.test(word)) return word.toLowerCase();
  return word.replace(/^[A-Z][A-Z0-9]*(?=[A-Z][a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

function upperFirst(word: string): string {
  if (/^[A-Z0-9]+$/.test(word)) return word.charAt(0) + word.slice(1).toLowerCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}
