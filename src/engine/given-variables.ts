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
  /** What is wrong and what to write; never quotes a value. */
  detail: string;
}

/** Variables before and after a request, opened. */
export interface GivenVariables {
  before: JsonMap;
  /** What the request gives; null removes. */
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

  /** What a variable breaks of its schema. */
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

  /** A sealed value, or one that is merged into it, is not the caller's to know: a schema must not test it. */
  #isKnownToCaller(name: string): boolean {
    const { before, patch, sealed } = this.#given;
    if (!sealed.has(name)) return true;
    const given = own(patch, name);
    return given !== undefined && !(isJsonMap(given) && isJsonMap(own(before, name)));
  }
}

/** The part of a schema that a value is checked against which the checker must not learn about. */
export function typeAlone({ type }: JsonMap): JsonMap {
  return type === undefined ? {} : { type };
}

/**
 * The faults of variables for a template with these declarations (name → JSON Schema): those the request gives, and,
 * if `all`, those it leaves. Values may be missing, and a value that is removed may be undeclared.
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

/** `who` begins the sentence; `names` are listed if there is no `close` one. */
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
