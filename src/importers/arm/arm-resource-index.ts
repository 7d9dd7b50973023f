import { literal, type Expression } from "#importers/expression.ts";
import { flatText, isTextPart } from "#importers/text/joined-text.ts";
import { keyOf } from "./arm-names.ts";

/** The addresses of a template's resources, by symbolic name and by type and name as expressions. */
export class ArmResources {
  readonly #byName = new Map<string, string>();
  readonly #byTypeAndName = new Map<string, string>();
  /** Undefined for an ambiguous name. */
  readonly #byNameAlone = new Map<string, string | undefined>();

  add(address: string, symbolic: string | undefined, type: string, name: Expression): void {
    if (symbolic !== undefined) this.#byName.set(symbolic.toLowerCase(), address);
    const key = keyOf(name);
    if (key === undefined) return;
    this.#byTypeAndName.set(`${type.toLowerCase()} ${key}`, address);
    this.#byNameAlone.set(key, this.#byNameAlone.has(key) ? undefined : address);
  }

  find(type: string, name: Expression): string | undefined {
    const key = keyOf(name);
    return key === undefined ? undefined : this.#byTypeAndName.get(`${type.toLowerCase()} ${key}`);
  }

  /** The address for a symbolic name, a resource's name, or `type/name`. */
  named(name: Expression): string | undefined {
    const text = name.kind === "literal" ? String(name.value) : undefined;
    const symbolic = text === undefined ? undefined : this.#byName.get(text.toLowerCase());
    if (symbolic !== undefined) return symbolic;
    const key = keyOf(name);
    return (key === undefined ? undefined : this.#byNameAlone.get(key)) ?? this.#typed(name);
  }

  /** The address for `Microsoft.Network/virtualNetworks/main`, whose name may be an expression. */
  #typed(name: Expression): string | undefined {
    const parts = name.kind === "text" ? name.parts : [name];
    const [first, ...rest] = parts;
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
