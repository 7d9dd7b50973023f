/** The conditions that hold where a value is read, so that a reference to a conditional resource needs no guard. */
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { type Expression, withoutLines } from "#importers/expression.ts";

export class ConditionsInForce {
  /** Undefined: the value is written at another place. */
  #facts: ReadonlySet<string> | undefined = new Set();

  /** Reads under a condition. */
  within<Made>(condition: Expression, holds: boolean, scope: Scope, read: () => Made): Made {
    return this.#with(factsOf(condition, holds, scope), read);
  }

  /** Reads the properties of a resource, which has its condition and those of the modules around it. */
  withinResource<Made>(made: DraftedResource, read: () => Made): Made {
    return this.#with(factsAround(made), read);
  }

  /** Whether a resource exists wherever the current value is read. Other formats tell it in their own way. */
  has(made: DraftedResource): boolean {
    if (made.scope.module.format !== "cloudformation") return true;
    return factsAround(made).every((fact) => this.#facts?.has(fact) === true);
  }

  /**
   * Reads a value that stands elsewhere in the draft, where none of the conditions holds. It is used only where they do,
   * so a reference there needs no more than not to fail.
   */
  withoutFacts<Made>(read: () => Made): Made {
    const before = this.#facts;
    this.#facts = undefined;
    const made = read();
    this.#facts = before;
    return made;
  }

  /** The end of a reference to an object that may be left out. */
  get otherwise(): string {
    return this.#facts === undefined ? '.orValue("")' : ".value()";
  }

  #with<Made>(facts: readonly string[], read: () => Made): Made {
    const before = this.#facts;
    this.#facts = before && new Set([...before, ...facts]);
    const made = read();
    this.#facts = before;
    return made;
  }
}

/** The conditions of a resource: its own, and those of the calls around it. */
export function conditionsOf({
  source,
  scope,
}: DraftedResource): { of: Expression; scope: Scope }[] {
  const all: { of: Expression; scope: Scope }[] = [];
  for (let at = scope.home.caller; at !== undefined; at = at.scope.home.caller)
    if (at.call.when !== undefined) all.unshift({ of: at.call.when, scope: at.scope.home });
  if (source.when !== undefined) all.push({ of: source.when, scope: scope.home });
  return all;
}

function factsAround(made: DraftedResource): readonly string[] {
  const before = known.get(made);
  if (before !== undefined) return before;
  const facts = conditionsOf(made).flatMap(({ of, scope }) => factsOf(of, true, scope));
  known.set(made, facts);
  return facts;
}

/** The facts of each resource, which every reference to it asks for. */
const known = new WeakMap<DraftedResource, readonly string[]>();

function factsOf(of: Expression, holds: boolean, scope: Scope): string[] {
  const known = scope.decided.decide(scope.decided.bound(of, scope));
  if (known?.kind === "literal" && known.value === holds) return [];
  if (of.kind === "call") {
    const [first] = of.args;
    if (of.name === "!" && first !== undefined) return factsOf(first, !holds, scope);
    if (of.name === (holds ? "&&" : "||"))
      return of.args.flatMap((one) => factsOf(one, holds, scope));
  }
  return [`${scope.home.prefix} ${String(holds)} ${withoutLines(of)}`];
}
