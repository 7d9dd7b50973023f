/** The config values of a draft: the root's variables in use, and values that the draft asks for. */
import { schemaProblems, valueProblems } from "#engine/template/value-schema.ts";
import { WorkBudget } from "#engine/template/work-budget.ts";
import { holdsSecrets, plainValue } from "#importers/evaluate/plain-value.ts";
import type { Expression } from "#importers/expression.ts";
import { allOf } from "#importers/hcl/validations/joined-schemas.ts";
import { onlyLengths } from "#importers/hcl/validations/read-validations.ts";
import type { Place } from "#importers/import-file.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import { escaped } from "./converted.ts";
import type { DraftNames } from "./draft-names.ts";
import type { Unresolved } from "./draft.ts";

/** The purpose of a value that the draft asks for. */
export interface Asked extends Place {
  address: string;
  /** The identity of the value: the same key is asked for once. */
  key: string;
  /** The base of the config value's name. */
  name: string;
  reason: string;
  isSecret?: boolean;
  shape?: ValueShape | undefined;
  default?: Json | undefined;
}

const MAX_DEFAULT = 10_000;
const MAX_DESCRIPTION = 300;
const MAX_DESCRIPTION_OF_SOURCE = 500;
/** The limit of templates. */
const MAX_VALUES = 500;
/** A name that no value has. The check then refuses only the users of values beyond the limit. */
const TOO_MANY = "oneOfTooManyValues";

/** The start of the key of a value that CloudFormation gives to every template. */
export const PSEUDO = "pseudo ";

export class DraftConfig {
  readonly declarations = new Map<string, JsonMap>();
  readonly unresolved: Unresolved[] = [];
  readonly #names: DraftNames;
  /** For checking defaults. */
  readonly #budget = new WorkBudget();
  readonly #known = new Map<string, string>();
  readonly #variables = new Set<string>();
  /** The names of values that are a part of a secret, of those that are all of one, and of those in another place. */
  readonly #inSecrets = new Set<string>();
  readonly #wholeSecrets = new Set<string>();
  readonly #inPlain = new Set<string>();

  constructor(names: DraftNames) {
    this.#names = names;
  }

  /** The names of config values by the variables of the root that they stand for. */
  get inputs(): Map<string, string> {
    return this.#namesBy("var.", (name) => this.#variables.has(name));
  }

  /** The names of config values by CloudFormation's pseudo parameters. */
  get pseudoParameters(): Map<string, string> {
    return this.#namesBy(PSEUDO, () => true);
  }

  /**
   * The names of secret values that are secrets only as a part of one, while the source shows them in another place: the
   * name of an account, which its connection string has too.
   */
  get secretByPlace(): Set<string> {
    return new Set(
      [...this.#inSecrets].filter(
        (name) => this.#inPlain.has(name) && !this.#wholeSecrets.has(name),
      ),
    );
  }

  #namesBy(start: string, isKept: (name: string) => boolean): Map<string, string> {
    return new Map(
      [...this.#known].flatMap(([key, name]): [string, string][] =>
        key.startsWith(start) && isKept(name) ? [[key.slice(start.length), name]] : [],
      ),
    );
  }

  /** The name of the config value for a variable of the root. `secret`: it is used for all or a part of a secret. */
  ofVariable(variable: SourceVariable, secret?: "whole" | "part"): string {
    const isSecret = secret !== undefined;
    const key = `var.${variable.name}`;
    const known = this.#known.get(key);
    if (known === undefined && this.declarations.size >= MAX_VALUES) return TOO_MANY;
    const name = known ?? this.#names.take(variable.name);
    this.#known.set(key, name);
    this.#variables.add(name);
    // A secret with an empty default stays an ordinary value.
    const isEmpty = variable.default?.kind === "literal" && variable.default.value === "";
    const sensitive =
      variable.sensitive || (isSecret && !isEmpty) || holdsSecrets(variable.default);
    const isOwnSecret =
      variable.sensitive || isSecretName(variable.name) || holdsSecrets(variable.default);
    if (isOwnSecret || secret === "whole") this.#wholeSecrets.add(name);
    else (isSecret ? this.#inSecrets : this.#inPlain).add(name);
    const empty = this.emptyOf(variable);
    if (known === undefined || sensitive)
      this.declarations.set(
        name,
        declarationOf(
          {
            ...variable,
            sensitive,
            ...(empty === undefined ? {} : { default: emptyExpressions[empty] }),
          },
          this.#budget,
        ),
      );
    return name;
  }

  /**
   * The value that stands for null, which a config value cannot be: an empty text, list or map. Undefined: null is not
   * the variable's default, or it has another type.
   */
  emptyOf({ default: initial, sensitive, type }: SourceVariable): string | undefined {
    const isNull = initial?.kind === "literal" && initial.value === null;
    if (!isNull || sensitive) return undefined;
    return emptyValues[typeOf(type, undefined)];
  }

  /**
   * The declaration of the source's variable that a template reference leads to, also of a part of it. Undefined for
   * another reference.
   */
  variable(reference: string): JsonMap | undefined {
    const [, name = "", rest = ""] = /^\$\{([A-Za-z0-9_-]+)(.*)\}$/.exec(reference) ?? [];
    const declared = this.#variables.has(name) ? this.declarations.get(name) : undefined;
    if (declared === undefined || rest === "") return declared;
    const part = partAt(declared["default"], rest);
    return part === undefined ? { type: "any" } : { type: typeNameOf(part), default: part };
  }

  /** Asks for a value that the template cannot express. Returns the name of its config value. */
  ask(asked: Asked): string {
    const { key, name: wanted, reason, isSecret = false, shape, address, file, line } = asked;
    const known = this.#known.get(key);
    if (known === undefined && this.declarations.size >= MAX_VALUES) return TOO_MANY;
    const name = known ?? this.#names.take(wanted);
    if (key.startsWith(PSEUDO)) (isSecret ? this.#inSecrets : this.#inPlain).add(name);
    if (known !== undefined) return known;
    this.#known.set(key, name);
    const initial = asked.default;
    const type = shape?.type ?? (initial === undefined ? "string" : typeNameOf(initial));
    this.declarations.set(name, {
      type,
      ...(initial === undefined ? {} : { default: initial }),
      ...(isSecret ? { secret: true, description: originOf(asked) } : {}),
    });
    this.unresolved.push({ config: name, address, file, line, reason });
    return name;
  }
}

/** The description of a secret names its origin, so that people know which secret to enter. */
function originOf({ address, file, line }: Asked): string {
  return `A value of ${address}: line ${line} of ${file}.`.slice(0, MAX_DESCRIPTION);
}

function declarationOf(variable: SourceVariable, budget: WorkBudget): JsonMap {
  const { type, default: given, sensitive, allowed, description, rules = {} } = variable;
  const initial = sensitive || given === undefined ? undefined : plainValue(given);
  const declared = typeOf(type, initial);
  const ofItems = /^List<Number>$/i.test(type ?? "") ? "number" : "string";
  const usable = fitting(initial, declared, ofItems);
  const all: JsonMap = {
    ...(allowed === undefined || sensitive
      ? {}
      : { enum: allowed.map((one) => fitting(one, itemType(declared, ofItems)) ?? one) }),
    ...rules,
  };
  const isNumbers = declared === "array" && ofItems === "number";
  const items = { ...(isNumbers ? { type: "number" } : {}), ...all };
  const ofType = declared === "array" ? (Object.keys(items).length > 0 ? { items } : {}) : all;
  const conditions = variable.schema ?? {};
  const schema = sensitive ? onlyLengths(conditions) : conditions;
  const written = allOf([ofType, schema]);
  return escapedTexts({
    type: declared,
    ...(usable === undefined || isRefused(usable, { type: declared, ...schema }, budget)
      ? {}
      : { default: usable }),
    ...(sensitive ? { secret: true } : {}),
    ...written,
    ...(description === null || description === ""
      ? {}
      : { description: description.slice(0, MAX_DESCRIPTION_OF_SOURCE) }),
  });
}

/** Whether the source's own conditions refuse the default, so that its tool asks for a value. */
function isRefused(initial: Json, schema: JsonMap, budget: WorkBudget): boolean {
  if (Object.keys(schema).length === 1 || schemaProblems(schema, budget).length > 0) return false;
  return valueProblems(schema, initial, budget).length > 0;
}

function itemType(declared: string, ofItems: string): string {
  return declared === "array" ? ofItems : declared;
}

/** A declaration is read for expressions like every part of a template. */
function escapedTexts(of: JsonMap): JsonMap {
  const changed = (one: Json): Json => {
    if (typeof one === "string") return escaped(one);
    if (Array.isArray(one)) return one.map(changed);
    return isJsonMap(one)
      ? Object.fromEntries(Object.entries(one).map(([name, value]) => [name, changed(value)]))
      : one;
  };
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, changed(value)]));
}

const emptyValues: Readonly<Record<string, string>> = { string: '""', array: "[]", object: "{}" };

const emptyExpressions: Readonly<Record<string, Expression>> = {
  '""': { kind: "literal", value: "" },
  "[]": { kind: "list", items: [] },
  "{}": { kind: "object", members: [] },
};

const typeNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:comma\s*delimitedlist|list|set|tuple|array)/i, "array"],
  [/^(?:map|object|secureobject)/i, "object"],
  [/^bool/i, "boolean"],
  [/^int/i, "integer"],
  [/^num/i, "number"],
  [/^(?:string|securestring|aws::)/i, "string"],
];

function typeOf(type: string | null, initial: Json | undefined): string {
  const named = typeNames.find(([pattern]) => pattern.test(type?.trim() ?? ""))?.[1];
  return named ?? typeNameOf(initial ?? "");
}

function typeNameOf(of: Json): string {
  if (Array.isArray(of)) return "array";
  if (typeof of === "number") return "number";
  if (typeof of === "boolean") return "boolean";
  return typeof of === "object" && of !== null ? "object" : "string";
}

/** The part at a path such as `.a[0]`. */
function partAt(of: Json | undefined, path: string): Json | undefined {
  let at = of;
  for (const [, name, index, key] of path.matchAll(/\.([A-Za-z0-9_-]+)|\[(\d+)\]|\["([^"]*)"\]/g)) {
    if (index !== undefined) at = Array.isArray(at) ? at[Number(index)] : undefined;
    else {
      const step = name ?? key ?? "";
      at = isJsonMap(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    }
  }
  return at;
}

/** The default, converted to the declared type like CloudFormation and Terraform do; undefined if there is none. */
function fitting(initial: Json | undefined, type: string, ofItems = "string"): Json | undefined {
  if (initial === undefined || initial === null) return undefined;
  if (JSON.stringify(initial).length > MAX_DEFAULT) return undefined;
  if (type === "array" && (typeof initial === "string" || typeof initial === "number"))
    return String(initial)
      .split(",")
      .map((one) => fitting(one.trim(), ofItems))
      .filter((one) => one !== undefined);
  if (type === "string" && (typeof initial === "number" || typeof initial === "boolean"))
    return String(initial);
  if ((type === "number" || type === "integer") && typeof initial === "string")
    return Number.isFinite(Number(initial)) && initial.trim() !== "" ? Number(initial) : undefined;
  if (type === "boolean" && typeof initial === "string")
    return initial === "true" ? true : initial === "false" ? false : undefined;
  return initial;
}
