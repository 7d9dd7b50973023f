/** The config values of a draft: the root's variables that it uses, and what the draft has to ask for. */
import { holdsSecrets, plainValue } from "#importers/draft/scopes/plain-value.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import type { DraftNames } from "./draft-names.ts";
import type { Unresolved } from "./draft.ts";

/** What an asked value is for. */
export interface Asked extends Place {
  address: string;
  /** What the value is known by: the same key is asked for once. */
  key: string;
  /** What its name is made of. */
  name: string;
  reason: string;
  isSecret?: boolean;
  shape?: ValueShape | undefined;
  default?: Json | undefined;
}

const MAX_DEFAULT = 10_000;
const MAX_DESCRIPTION = 300;
/** As many as a template may have. */
const MAX_VALUES = 500;
/** No value has this name: the check refuses what would need one more, and nothing else. */
const TOO_MANY = "oneOfTooManyValues";

export class DraftConfig {
  readonly declarations = new Map<string, JsonMap>();
  readonly unresolved: Unresolved[] = [];
  readonly #names: DraftNames;
  readonly #known = new Map<string, string>();
  readonly #variables = new Set<string>();

  constructor(names: DraftNames) {
    this.#names = names;
  }

  /** The name of the config value that a variable of the root becomes. `isSecret`: it is used for a secret. */
  ofVariable(variable: SourceVariable, isSecret = false): string {
    const key = `var.${variable.name}`;
    const known = this.#known.get(key);
    if (known === undefined && this.declarations.size >= MAX_VALUES) return TOO_MANY;
    const name = known ?? this.#names.take(variable.name);
    this.#known.set(key, name);
    this.#variables.add(name);
    // A secret that is empty until somebody gives it is none.
    const isEmpty = variable.default?.kind === "literal" && variable.default.value === "";
    const sensitive =
      variable.sensitive || (isSecret && !isEmpty) || holdsSecrets(variable.default);
    if (known === undefined || sensitive)
      this.declarations.set(name, declarationOf({ ...variable, sensitive }));
    return name;
  }

  /**
   * The declaration of the source's variable that a reference is to, or to a part of which; undefined: it is to something
   * else.
   */
  variable(reference: string): JsonMap | undefined {
    const [, name = "", rest = ""] = /^\$\{([A-Za-z0-9_-]+)(.*)\}$/.exec(reference) ?? [];
    const declared = this.#variables.has(name) ? this.declarations.get(name) : undefined;
    if (declared === undefined || rest === "") return declared;
    const part = partAt(declared["default"], rest);
    return part === undefined ? { type: "any" } : { type: typeNameOf(part), default: part };
  }

  /** The name of a config value for what the template cannot say. */
  ask(asked: Asked): string {
    const { key, name: wanted, reason, isSecret = false, shape, address, file, line } = asked;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.declarations.size >= MAX_VALUES) return TOO_MANY;
    const name = this.#names.take(wanted);
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

/** Whoever gives a secret has to know which. */
function originOf({ address, file, line }: Asked): string {
  return `Of ${address}, which ${file} writes out at line ${line}.`.slice(0, MAX_DESCRIPTION);
}

function declarationOf({ type, default: given, sensitive, allowed, description }: SourceVariable) {
  const initial = sensitive || given === undefined ? undefined : plainValue(given);
  const declared = typeOf(type, initial);
  const usable = fitting(initial, declared);
  return {
    type: declared,
    ...(usable === undefined ? {} : { default: usable }),
    ...(sensitive ? { secret: true } : {}),
    ...(allowed === undefined || sensitive ? {} : { enum: [...allowed] }),
    ...(description === null || description === ""
      ? {}
      : { description: description.slice(0, 500) }),
  } satisfies JsonMap;
}

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

/** What is at `.a[0]` in it. */
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

/** The default in the declared type, as CloudFormation and Terraform convert it; undefined: there is none. */
function fitting(initial: Json | undefined, type: string): Json | undefined {
  if (initial === undefined || initial === null) return undefined;
  if (JSON.stringify(initial).length > MAX_DEFAULT) return undefined;
  if (type === "array" && typeof initial === "string")
    return initial.split(",").map((one) => one.trim());
  if (type === "string" && (typeof initial === "number" || typeof initial === "boolean"))
    return String(initial);
  if ((type === "number" || type === "integer") && typeof initial === "string")
    return Number.isFinite(Number(initial)) && initial.trim() !== "" ? Number(initial) : undefined;
  if (type === "boolean" && typeof initial === "string")
    return initial === "true" ? true : initial === "false" ? false : undefined;
  return initial;
}
