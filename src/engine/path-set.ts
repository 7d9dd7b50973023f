import { anyKey, parsePropertyPath, type PathSegment } from "#platform/property-path.ts";

/** The parsed path of a type's facts. Throws when the text is not a path. */
export function factPath(text: string): PathSegment[] {
  const path = parsePropertyPath(text);
  if (path === undefined) throw new Error(`"${text}" is not a property path`);
  return path;
}

/** Property paths of a type's facts, to follow along with a value. */
export class PathSet {
  static readonly none = new PathSet([]);
  /** One of the paths ends here. */
  readonly here: boolean;
  readonly #paths: readonly (readonly PathSegment[])[];

  private constructor(paths: readonly (readonly PathSegment[])[]) {
    this.#paths = paths.filter((path) => path.length > 0);
    this.here = this.#paths.length < paths.length;
  }

  /** Throws when a text is not a property path. */
  static of(texts: readonly string[] = []): PathSet {
    return texts.length === 0 ? PathSet.none : new PathSet(texts.map(factPath));
  }

  /** Some of the paths end below. */
  get below(): boolean {
    return this.#paths.length > 0;
  }

  /** The rest of the paths below a key of a map or an item of a list. */
  at(segment: string | number): PathSet {
    if (this.#paths.length === 0) return PathSet.none;
    const left = this.#paths.filter(
      ([first]) => first === anyKey || String(first) === String(segment),
    );
    return left.length === 0 ? PathSet.none : new PathSet(left.map((path) => path.slice(1)));
  }
}
