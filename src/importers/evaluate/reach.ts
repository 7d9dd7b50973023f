/** Follows names to the objects behind them: through locals, arguments of calls, and outputs of called modules. */
import { type Expression, referencesIn, type ReferenceExpression } from "#importers/expression.ts";
import type { Dependency } from "#importers/source-module.ts";

/**
 * The maximum number of names followed from one name. Real chains are short, and a hostile chain must not cost its
 * square.
 */
const MAX_FOLLOWED = 100;
/** The maximum number of objects behind one name, and the work for all names: objects, names and references. */
const MAX_OBJECTS = 1_000;
const MAX_WORK = 500_000;

/** A name, with everything that gives it a value. The same object each time: it is followed once. */
export interface Name<Place> {
  readonly given: readonly Given<Place>[];
}

/** Expressions and dependencies, with the place of the names in them: a module, or one of its calls. */
export interface Given<Place> {
  expressions: readonly Expression[];
  dependsOn: readonly Dependency[];
  place: Place;
}

/** What a reference or a dependency leads to: objects, and names to follow. */
export interface Target<Place> {
  ids: readonly string[];
  names: readonly Name<Place>[];
}

export interface Links<Place> {
  ofReference: (reference: ReferenceExpression, place: Place) => Target<Place>;
  ofDependency: (dependency: Dependency, place: Place) => Target<Place>;
}

/** The objects behind a name. `isWhole`: false if there may be more. */
export interface Reached {
  ids: ReadonlySet<string>;
  isWhole: boolean;
}

interface Direct<Place> extends Reached {
  names: ReadonlySet<Name<Place>>;
}

export class Reach<Place> {
  readonly #links: Links<Place>;
  readonly #direct = new Map<Name<Place>, Direct<Place>>();
  readonly #reached = new Map<Name<Place>, Reached>();
  #left = MAX_WORK;

  constructor(links: Links<Place>) {
    this.#links = links;
  }

  behind(name: Name<Place>): Reached {
    const known = this.#reached.get(name);
    if (known !== undefined) return known;
    const ids = new Bounded<string>(MAX_OBJECTS);
    const names = new Bounded<Name<Place>>(MAX_FOLLOWED);
    names.add(name);
    let isWhole = true;
    // The set grows while it is read.
    for (const one of names.all) {
      const direct = this.#directOf(one);
      isWhole &&= direct.isWhole;
      for (const id of direct.ids) ids.add(id);
      for (const other of direct.names) names.add(other);
      this.#left -= direct.ids.size + direct.names.size;
    }
    const reached = { ids: ids.all, isWhole: isWhole && ids.isWhole && names.isWhole };
    this.#reached.set(name, reached);
    return reached;
  }

  #directOf(name: Name<Place>): Direct<Place> {
    const known = this.#direct.get(name);
    if (known !== undefined) return known;
    const ids = new Bounded<string>(MAX_OBJECTS);
    const names = new Bounded<Name<Place>>(MAX_FOLLOWED);
    const isAffordable = this.#left > 0;
    const add = (target: Target<Place>): void => {
      for (const id of target.ids) ids.add(id);
      for (const one of target.names) names.add(one);
      this.#left -= 1 + target.ids.length;
    };
    for (const { expressions, dependsOn, place } of isAffordable ? name.given : []) {
      for (const expression of expressions)
        for (const reference of referencesIn(expression))
          add(this.#links.ofReference(reference, place));
      for (const dependency of dependsOn) add(this.#links.ofDependency(dependency, place));
    }
    const isWhole = isAffordable && ids.isWhole && names.isWhole;
    const direct = { ids: ids.all, names: names.all, isWhole };
    this.#direct.set(name, direct);
    return direct;
  }
}

/** The first different items, up to a number. */
class Bounded<Item> {
  readonly all = new Set<Item>();
  readonly #most: number;
  isWhole = true;

  constructor(most: number) {
    this.#most = most;
  }

  add(item: Item): void {
    if (this.all.size < this.#most) this.all.add(item);
    else this.isWhole &&= this.all.has(item);
  }
}
