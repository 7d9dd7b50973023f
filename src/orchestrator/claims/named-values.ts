/**
 * The names of other objects in an object's properties, at a target that tenants share. A value without a row that says
 * otherwise may name any object of the account (decision 0050). Pure.
 */
import type { CloudObject } from "#orchestrator/gate/claims-table.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { formatPropertyPath } from "#platform/property-path.ts";
import type { NamedObject, ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";

export interface NamedValues {
  /** The path of the first value that may name any object; absent: there is none. */
  unlisted?: string;
  named: NamedObject[];
}

type Path = readonly (string | number)[];

const HOST = /^(?:\*\.)?(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}$/;
const MAX_HOST = 253;
const SLUG = /^[A-Za-z][\w.-]*$/;

/** Skips the values at the paths of `refers`, which name objects of one type. */
export function namedValues(
  provider: string,
  facts: Pick<TypeFacts, "shape" | "refers"> | undefined,
  properties: JsonMap,
): NamedValues {
  const found = new Walk(provider, facts?.refers ?? {});
  found.members(properties, facts?.shape ?? { properties: {} }, []);
  return found.result();
}

class Walk {
  readonly #provider: string;
  readonly #refers: NonNullable<TypeFacts["refers"]>;
  readonly #named: NamedObject[] = [];
  #unlisted: string | undefined;

  constructor(provider: string, refers: NonNullable<TypeFacts["refers"]>) {
    this.#provider = provider;
    this.#refers = refers;
  }

  result(): NamedValues {
    return {
      named: this.#named,
      ...(this.#unlisted === undefined ? {} : { unlisted: this.#unlisted }),
    };
  }

  members(values: JsonMap, shape: ObjectShape, path: Path, rest?: ValueShape): void {
    for (const [key, value] of Object.entries(values)) {
      const listed = Object.hasOwn(shape.properties, key) ? shape.properties[key] : rest;
      const at = [...path, key];
      // The key itself may name an object, whatever its value.
      if (listed === undefined && value !== null) this.#refuse(at);
      else this.#value(value, listed ?? {}, at, values);
    }
  }

  #value(value: Json, shape: ValueShape, path: Path, beside: JsonMap): void {
    if (value === null || Object.hasOwn(this.#refers, patternOf(path))) return;
    if (Array.isArray(value)) {
      if (shape.items === undefined || shape.object !== undefined) {
        if (value.length > 0) this.#refuse(path);
        return;
      }
      for (const [at, item] of value.entries())
        this.#value(item, shape.items, [...path, at], beside);
    } else if (isJsonMap(value)) {
      if (shape.object === undefined) this.#refuse(path);
      else this.members(value, shape.object, path, shape.items);
    } else if (!this.#isPlain(value, shape, path, beside)) this.#refuse(path);
  }

  #isPlain(value: Exclude<Json, Json[] | JsonMap>, shape: ValueShape, path: Path, beside: JsonMap) {
    const { names } = shape;
    if (names === undefined)
      return (
        shape.enum?.includes(value) ?? (shape.type === "boolean" && typeof value === "boolean")
      );
    if (names === "slug") return typeof value === "string" && SLUG.test(value);
    if (names === "host") return this.#host(value, names, path, beside["wildcard"] === true);
    if (names === "zone") return this.#host(value, names, path, true);
    if (typeof names === "string") return true;
    if ("by" in names) return this.#typed(value, names, path, beside);
    return names.includes(value);
  }

  #host(value: Json, names: "host" | "zone", path: Path, withAllInside: boolean): boolean {
    if (typeof value !== "string" || value.length > MAX_HOST || !HOST.test(value)) return false;
    if (names === "zone" && value.startsWith("*")) return false;
    const host = value.replace(/^\*\./, "");
    const within = names === "zone" ? host.slice(host.indexOf(".") + 1) : host;
    const parts = within.split(".");
    const type = `${this.#provider}:Domain`;
    this.#named.push({
      what: `the domain of ${formatPropertyPath(path)}`,
      owners: parts.map((_, at) => ({ type, id: parts.slice(at).join(".") })),
      nearest: names === "zone" ? "free" : "owned",
      ...(withAllInside || value.startsWith("*") ? { around: { type, id: host } } : {}),
    });
    return true;
  }

  #typed(
    value: Json,
    { by, types }: { by: string; types: Readonly<Record<string, string>> },
    path: Path,
    beside: JsonMap,
  ): boolean {
    const word = beside[by];
    const type = typeof word === "string" && Object.hasOwn(types, word) ? types[word] : undefined;
    if (type === undefined || typeof value === "object") return false;
    if (type === "") return true;
    const object: CloudObject = { type: `${this.#provider}:${type}`, id: String(value) };
    this.#named.push({
      what: `the ${object.type} in ${formatPropertyPath(path)}`,
      owners: [object],
    });
    return true;
  }

  #refuse(path: Path): void {
    this.#unlisted ??= formatPropertyPath(path);
  }
}

/** The path in the form of the rows: `rules[*].value`. */
function patternOf(path: Path): string {
  return path
    .map((segment, at) =>
      typeof segment === "number" ? "[*]" : at === 0 ? segment : `.${segment}`,
    )
    .join("");
}
