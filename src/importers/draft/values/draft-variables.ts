/** The named values of a draft, each written once: conditions, mappings, long parts of a choice. */
import type { Json } from "#platform/json.ts";
import type { DraftNames } from "./draft-names.ts";

/** The limit of templates. */
const MAX_VARIABLES = 500;

export class DraftVariables {
  readonly #names: DraftNames;
  readonly #known = new Map<string, string | undefined>();
  readonly #values = new Map<string, Json>();

  constructor(names: DraftNames) {
    this.#names = names;
  }

  /** Those that are read come after the ones that they read. */
  get declarations(): ReadonlyMap<string, Json> {
    return this.#values;
  }

  /**
   * The name of a value, which is made on first use. Undefined: it could not be made, or it reads itself. `key`: the
   * identity of the value.
   */
  named(key: string, wanted: string, make: () => Json | undefined): string | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    this.#known.set(key, undefined);
    const made = this.#values.size >= MAX_VARIABLES ? undefined : make();
    if (made === undefined) return undefined;
    const name = this.#names.take(wanted);
    this.#known.set(key, name);
    this.#values.set(name, made);
    return name;
  }

  value(name: string): Json | undefined {
    return this.#values.get(name);
  }
}
