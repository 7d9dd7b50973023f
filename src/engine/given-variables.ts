import { escapePointer, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { nearest } from "#platform/text/nearest.ts";
import { own } from "./template/own.ts";
import { didYouMean, quoted } from "./template/report.ts";
import { valueProblems } from "./template/value-schema.ts";
import { WorkBudget } from "./template/work-budget.ts";

const MAX_LISTED = 20;
/** Each search compares with every candidate: thousands of misspellings must not take minutes. */
const MAX_SUGGESTIONS = 50;

export interface VariableFault {
  /** JSON Pointer into the variables. */
  pointer: string;
  code: "unknown_variable" | "invalid_value";
  /** The fault and its correction; never quotes a value. */
  detail: string;
}

/** Variables before and after a request, decrypted. */
export interface GivenVariables {
  before: JsonMap;
  /** The variables that the request sets; null removes one. */
  patch: JsonMap;
  after: JsonMap;
  /** Names of `before` that are stored sealed. */
  sealed: ReadonlySet<string>;
}

/** Checks the values of one request, within one budget of work. */
export class VariableCheck {
  readonly #given: GivenVariables;
  readonly #budget = new WorkBudget();

  constructor(given: GivenVariables) {
    this.#given = given;
  }

  /** The names whose values the request sets. */
  get names(): string[] {
    return Object.keys(this.#given.patch).filter((name) => Object.hasOwn(this.#given.after, name));
  }

  /** The faults of a variable by its schema. */
  faultsOf(name: string, schema: JsonMap): VariableFault[] {
    const value = own(this.#given.after, name);
    if (value === undefined) return [];
    const checked = this.#isKnownToCaller(name) ? schema : typeAlone(schema);
    return valueProblems(checked, value, this.#budget).map(({ pointer, message, hint }) => ({
      pointer: `/${escapePointer(name)}${pointer}`,
      code: "invalid_value",
      detail: hint === undefined ? message : `${message} ${hint}`,
    }));
  }

  /** A sealed value, or one merged into it, is hidden from the caller: a schema must not test it. */
  #isKnownToCaller(name: string): boolean {
    const { before, patch, sealed } = this.#given;
    if (!sealed.has(name)) return true;
    const given = own(patch, name);
    return given !== undefined && !(isJsonMap(given) && isJsonMap(own(before, name)));
  }
}

/** The part of a schema that may test a hidden value: its type. */
export function typeAlone({ type }: JsonMap): JsonMap {
  return type === undefined ? {} : { type };
}

/**
 * The faults of variables for a template with these declarations (name → JSON Schema): of those that the request sets
 * and, if `all`, of the others. Values may be missing, and a removed value may be undeclared.
 */
export function variableFaults(
  declared: JsonMap,
  given: GivenVariables,
  all: boolean,
): VariableFault[] {
  const check = new VariableCheck(given);
  let suggestions = 0;
  const names = new Set([...Object.keys(given.patch), ...(all ? Object.keys(given.after) : [])]);
  return [...names].flatMap((name): VariableFault[] => {
    const schema = own(declared, name);
    if (isJsonMap(schema)) return check.faultsOf(name, schema);
    const removed = !Object.hasOwn(given.after, name) && Object.hasOwn(given.before, name);
    if (removed || !Object.hasOwn(given.patch, name)) return [];
    const names = Object.keys(declared);
    const close = suggestions++ < MAX_SUGGESTIONS ? nearest(name, names) : undefined;
    return [unknownVariable(name, close, { names })];
  });
}

/** `who` begins the sentence; `names` are listed if none of them is `close`. */
export function unknownVariable(
  name: string,
  close: string | undefined,
  { names = [], who = "The template declares no variable" }: { names?: string[]; who?: string },
): VariableFault {
  const listed = names.slice(0, MAX_LISTED).join(", ");
  const hint = didYouMean(close) ?? (listed === "" ? "There are none." : `There are ${listed}.`);
  return {
    pointer: `/${escapePointer(name)}`,
    code: "unknown_variable",
    detail: `${who} ${quoted(name)}. ${hint}`,
  };
}

/** The declarations in a template version's config schema, by name. */
export function declarationsIn(config: JsonMap): JsonMap {
  const properties: Json | undefined = own(config, "properties");
  return isJsonMap(properties) ? properties : {};
}
