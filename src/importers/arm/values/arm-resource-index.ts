import { literal, type Expression } from "#importers/expression.ts";
import { flatText, isTextPart } from "#importers/text/joined-text.ts";
import { keyOf } from "./arm-names.ts";

/** A resource of a template under one of its names. */
export interface Indexed {
  address: string;
  /** The full type in lower case. */
  type: string;
  /** The key of its resource group; undefined: it is in none. */
  group: string | undefined;
  /** The number of open loops around it: the reader's indexes select one of its objects. */
  loops: number;
  /** Whether its objects are a map by the indexes of all loops. */
  isMapped: boolean;
  /** The keys of the conditions under which it is made. */
  when: readonly string[];
}

/**
 * The resources of an import's template with the templates nested in it. Type and name find all of them, symbolic names
 * those of one template.
 */
export class ArmResources {
  readonly #byTypeAndName: Map<string, Indexed>;
  /** Undefined for an ambiguous name. */
  readonly #byNameAlone: Map<string, Indexed | undefined>;
  readonly #byName = new Map<string, Indexed>();
  readonly #byAddress: Map<string, Indexed>;

  constructor(shared?: ArmResources) {
    this.#byTypeAndName = shared === undefined ? new Map() : shared.#byTypeAndName;
    this.#byNameAlone = shared === undefined ? new Map() : shared.#byNameAlone;
    this.#byAddress = shared === undefined ? new Map() : shared.#byAddress;
  }

  add(symbolic: string | undefined, name: Expression, indexed: Indexed): void {
    const { type, address } = indexed;
    this.#byAddress.set(address, indexed);
    if (symbolic !== undefined) this.#byName.set(symbolic.toLowerCase(), indexed);
    const key = keyOf(name);
    if (key === undefined) return;
    const whole = `${type} ${key}`;
    // A second declaration changes the same object.
    if (!this.#byTypeAndName.has(whole)) this.#byTypeAndName.set(whole, indexed);
    this.#byNameAlone.set(key, this.#byNameAlone.has(key) ? undefined : indexed);
  }

  find(type: string, name: Expression): Indexed | undefined {
    const key = keyOf(name);
    return key === undefined ? undefined : this.#byTypeAndName.get(`${type.toLowerCase()} ${key}`);
  }

  at(address: string): Indexed | undefined {
    return this.#byAddress.get(address);
  }

  symbolic(name: string): Indexed | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /** The resource for a symbolic name, a resource's name, or `type/name`. */
  named(name: Expression): Indexed | undefined {
    const text = name.kind === "literal" ? String(name.value) : undefined;
    const symbolic = text === undefined ? undefined : this.symbolic(text);
    if (symbolic !== undefined) return symbolic;
    const key = keyOf(name);
    return (key === undefined ? undefined : this.#byNameAlone.get(key)) ?? this.#typed(name);
  }

  /** The resource for `Microsoft.Network/virtualNetworks/main`, whose name may be an expression. */
  #typed(name: Expression): Indexed | undefined {
    const [first, ...rest] = name.kind === "text" ? name.parts : [name];
    if (first?.kind !== "literal") return undefined;
    const words = String(first.value)
      .replace(/^\/providers\//, "")
      .split("/");
    const [namespace, type, ...own] = words;
    if (namespace?.includes(".") !== true || type === undefined || words.length > 3)
      return undefined;
    const start = own.join("/");
    const ownName = [...(start === "" ? [] : [literal(start)]), ...rest];
    return ownName.length === 0
      ? undefined
      : this.find(`${namespace}/${type}`, flatText(ownName, 0));
  }
}

/** Joins the names of a resource and its parents: `parent/child`. */
export function joinedNames(names: readonly Expression[]): Expression {
  const [only] = names;
  if (names.length === 1 && only !== undefined) return only;
  if (!names.every(isTextPart)) return { kind: "opaque", text: "", references: [], line: 0 };
  return flatText(
    names.flatMap((name, at) => (at === 0 ? [name] : [literal("/"), name])),
    0,
  );
}
