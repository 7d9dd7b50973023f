/** The dependencies among resources that are written out, through variables, loops and components. */
import { expressionsOf, readsIn } from "#engine/template/expressions-in.ts";
import { own } from "#engine/template/own.ts";
import type {
  Expression,
  Level,
  ResourceDeclaration,
  Template,
  Within,
} from "#engine/template/template.ts";
import type { Layout, Presence } from "./layout.ts";
import { turnsOf } from "./write-out.ts";

type Path = readonly (string | number)[];

/**
 * The resources that each resource of a written-out template depends on, in the template's order and without duplicates:
 * those in its expressions and those in `dependsOn`. Unknown names are ignored.
 */
export function writtenOutDependencies(
  template: Template,
  root: Level,
  layout: Layout,
): Map<string, string[]> {
  const order = new Map(Object.keys(template.resources).map((address, index) => [address, index]));
  // All turns of a loop in one level read the same, and have the same properties object.
  const known = new Map<Level, Map<ResourceDeclaration["properties"], string[]>>();
  const dependenciesOf = (resource: ResourceDeclaration): string[] => {
    const needed = new Set(resource.options.dependsOn.filter((one) => order.has(one)));
    new Walk(layout, needed).resource(resource, root);
    return [...needed].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  };
  return new Map(
    Object.entries(template.resources).map(([address, resource]) => {
      const level = resource.within?.level ?? root;
      const ofLevel = known.get(level) ?? new Map<ResourceDeclaration["properties"], string[]>();
      known.set(level, ofLevel);
      const dependencies = ofLevel.get(resource.properties) ?? dependenciesOf(resource);
      ofLevel.set(resource.properties, dependencies);
      return [address, dependencies];
    }),
  );
}

/** One walk over everything that an expression reads. An explicit list: a long chain would overflow the call stack. */
class Walk {
  readonly #layout: Layout;
  readonly #found: Set<string>;
  readonly #seen = new Map<Level, Set<string>>();
  readonly #pending: { expression: Expression; within: Within }[] = [];

  constructor(layout: Layout, found: Set<string>) {
    this.#layout = layout;
    this.#found = found;
  }

  resource(resource: ResourceDeclaration, root: Level): void {
    const within = resource.within ?? { level: root };
    for (const expression of expressionsOf(resource)) this.#pending.push({ expression, within });
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop())
      for (const { root: name, path } of readsIn(next.expression))
        this.#read(name, path, next.within);
  }

  #read(name: string, path: Path, { level, each }: Within): void {
    if (name === "each" && each !== undefined) return this.#follow(each.of, { level });
    const { config, variables } = level.template;
    if (own(config, name) !== undefined) {
      const given = own(level.use?.declaration.properties ?? {}, name);
      if (given !== undefined && level.use !== undefined && this.#isNew(level, name))
        this.#follow(given, level.use.within);
      return;
    }
    const variable = own(variables, name);
    if (variable !== undefined) {
      if (this.#isNew(level, name)) this.#follow(variable, { level });
      return;
    }
    if (path.length === 0 && !this.#isNew(level, name)) return;
    for (const { item } of this.#turns(this.#layout.resource(level, name), path))
      this.#found.add(item.address);
    for (const { item, path: rest } of this.#turns(this.#layout.component(level, name), path))
      this.#outputs(item, rest);
  }

  /** The turns that a path can mean: the one of its key, or all. `path`: below the turn. */
  #turns<T>(presence: Presence<T> | undefined, path: Path): { item: T; path: Path }[] {
    if (presence?.kind === "one") return [{ item: presence.item, path }];
    const [key, ...below] = path;
    if (presence?.kind !== "each" || key === undefined)
      return turnsOf(presence).map(({ item }) => ({ item, path: below }));
    const item = presence.items.get(String(key));
    return item === undefined || typeof key !== "string" ? [] : [{ item, path: below }];
  }

  #outputs(level: Level, [name]: Path): void {
    for (const [output, expression] of Object.entries(level.template.outputs))
      if ((name === undefined || output === name) && this.#isNew(level, `outputs/${output}`))
        this.#follow(expression, { level });
  }

  #follow(expression: Expression, within: Within): void {
    this.#pending.push({ expression, within });
  }

  #isNew(level: Level, name: string): boolean {
    const seen = this.#seen.get(level) ?? new Set<string>();
    this.#seen.set(level, seen);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  }
}
