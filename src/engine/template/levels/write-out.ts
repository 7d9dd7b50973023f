/**
 * Writes loops, conditions and components out: the template that a plan sees has one resource per object, named by its
 * address. Its expressions stay as written; `within` says where they are evaluated.
 */
import { MAX_RESOURCES } from "#engine/template/parse.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type {
  ComponentUse,
  Level,
  Move,
  Place,
  ResourceDeclaration,
  Template,
} from "#engine/template/template.ts";
import { addressesTo, addressIn, isWithin, partsOfAddress, turnedLoop } from "./address.ts";
import type { Layout, Presence } from "./layout.ts";

export interface WrittenOut {
  /** Without components. */
  template: Template;
  /** The addresses of resources and components that a false condition leaves out, and their former ones. */
  leftOut: ReadonlySet<string>;
  /**
   * Aliases with `to` by which no resource takes an object: their `to` by the former address, and by the former loop's
   * name and `[`, which stand for its turns.
   */
  unmet: ReadonlyMap<string, string>;
}

/** Throws the errors of `Layout`, and `ResolveError` for more than 500 resources. */
export function writeOut(root: Level, layout: Layout): WrittenOut {
  const writer = new Writer(layout);
  writer.write(root, { dependsOn: [], aliases: [], moves: [] });
  const unmet = writer.unmet();
  return {
    template: { ...root.template, resources: Object.fromEntries(writer.resources), components: {} },
    leftOut: writer.leftOut,
    unmet,
  };
}

/** What the uses of components around a level add to its resources; all names are addresses. */
interface Outside {
  dependsOn: readonly string[];
  /** Former addresses of the level itself. */
  aliases: readonly string[];
  /** Objects that single resources of the level take. */
  moves: readonly Move[];
}

class Writer {
  readonly #layout: Layout;
  readonly resources = new Map<string, ResourceDeclaration>();
  readonly leftOut = new Set<string>();
  /** Of all aliases with `to`: the new address by the former one. */
  readonly #moves = new Map<string, string>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  unmet(): Map<string, string> {
    const aliases = [...this.resources.values()].flatMap(({ options }) => options.aliases);
    const former = new Set(aliases);
    // A key may have left a loop that still exists.
    const present = [...aliases, ...this.resources.keys()].flatMap(addressesTo);
    const loops = new Set(present.map(turnedLoop));
    const unmet = new Map<string, string>();
    for (const [from, to] of this.#moves) {
      if (isWithin(to, this.leftOut)) {
        this.leftOut.add(from);
        continue;
      }
      if (!former.has(from)) unmet.set(from, to);
      if (!loops.has(`${from}[`)) unmet.set(`${from}[`, to);
    }
    return unmet;
  }

  write(level: Level, outside: Outside): void {
    const { resources, components } = level.template;
    for (const [name, use] of Object.entries(components))
      for (const { from, to } of use.options.moves ?? [])
        this.#moves.set(absolute(from, level), addressBelow(use, addressIn(level, name), to));
    for (const [name, declaration] of Object.entries(resources)) {
      const turns = this.#turns(level, name, declaration, this.#layout.resource(level, name));
      const keys = turns.map(({ key }) => key);
      for (const { from, to } of declaration.options.moves ?? [])
        this.#moves.set(absolute(from, level), addressIn(level, name, keyNamed(to, keys)));
      if (turns.length === 0) continue;
      const { aliases, moves = [], ...options } = declaration.options;
      const dependsOn = this.#waitsOf(level, options.dependsOn, outside);
      const present = presentIn(turns);
      for (const { key, item } of turns) {
        const moved = moves.filter(({ to }) => keyNamed(to, keys) === key).map(({ from }) => from);
        this.#add(item.address, declaration.place, {
          ...declaration,
          within: item.within,
          options: {
            ...options,
            dependsOn,
            aliases: [
              ...[...aliases, ...moved].flatMap((from) => formerTurns(absolute(from, level), key)),
              ...formerAddresses(outside, level, item.address),
            ].filter((from) => !present.has(from)),
          },
        });
      }
    }
    for (const [name, use] of Object.entries(components)) {
      const turns = this.#turns(level, name, use, this.#layout.component(level, name));
      if (turns.length === 0) continue;
      const dependsOn = this.#waitsOf(level, use.options.dependsOn, outside);
      const present = presentIn(turns);
      for (const { item, key } of turns) {
        const { aliases, moves } = aliasesInside(use, { name, key }, level, item, outside);
        this.write(item, {
          dependsOn,
          aliases: aliases.filter((from) => !present.has(from)),
          moves,
        });
      }
    }
  }

  /** The addresses that come first: by `dependsOn` here, and by the uses of components around the level. */
  #waitsOf(level: Level, dependsOn: readonly string[], outside: Outside): string[] {
    const here = [...new Set(dependsOn)].flatMap((other) => this.#addressesOf(level, other));
    return [...new Set([...outside.dependsOn, ...here])];
  }

  #turns<T>(
    level: Level,
    name: string,
    { options }: ResourceDeclaration | ComponentUse,
    presence: Presence<T> | undefined,
  ): { item: T; key?: string }[] {
    if (presence?.kind === "absent")
      for (const address of [
        addressIn(level, name),
        ...options.aliases.map((from) => absolute(from, level)),
      ])
        this.leftOut.add(address);
    return turnsOf(presence);
  }

  #add(address: string, place: Place, resource: ResourceDeclaration): void {
    this.resources.set(address, resource);
    if (this.resources.size > MAX_RESOURCES)
      throw new ResolveError(
        "too_many_resources",
        `The template has more than ${MAX_RESOURCES} resources, loops and components written out.`,
        place,
        "Split the template, and bind the outputs of one instance to the config of the next.",
      );
  }

  /** The resources that a name of the level stands for. */
  #addressesOf(level: Level, name: string): string[] {
    const resources = turnsOf(this.#layout.resource(level, name)).map(({ item }) => item.address);
    const inner = turnsOf(this.#layout.component(level, name)).flatMap(({ item }) =>
      [...Object.keys(item.template.resources), ...Object.keys(item.template.components)].flatMap(
        (one) => this.#addressesOf(item, one),
      ),
    );
    return [...resources, ...inner];
  }
}

export function turnsOf<T>(presence: Presence<T> | undefined): { item: T; key?: string }[] {
  switch (presence?.kind) {
    case undefined:
    case "absent":
      return [];
    case "one":
    case "open":
      return [{ item: presence.item }];
    case "each":
      return [...presence.items].map(([key, item]) => ({ item, key }));
  }
}

/** The addresses of a loop's turns. An alias in the loop has no effect while it names one of them. */
function presentIn(turns: readonly { item: { address: string } }[]): Set<string> {
  return new Set(turns.map(({ item }) => item.address));
}

/** A former name without a key also means the same key of a loop of that name. */
function formerTurns(from: string, key: string | undefined): string[] {
  const last = partsOfAddress(from)?.at(-1);
  if (key === undefined || last === undefined || last.key !== undefined) return [from];
  return [from, addressIn({ address: "" }, from, key)];
}

/** A component cannot name an object outside itself: only its use moves one into it. */
function absolute(written: string, level: Level): string {
  const from = written.startsWith("/") ? written.slice(1) : written;
  return level.address === "" ? from : `${level.address}/${from}`;
}

/** The former address of an object by a move to its address, or to its loop: then each key is kept. */
function movedFrom({ from, to }: Move, address: string): string[] {
  if (to === address) return [from];
  const key = partsOfAddress(address)?.at(-1)?.key;
  if (key === undefined || address !== addressIn({ address: "" }, to, key)) return [];
  return [addressIn({ address: "" }, from, key)];
}

/** The key that `to` of a resource's alias names: `a`, or `["a"]` as in an address. */
function keyNamed(to: string, keys: readonly (string | undefined)[]): string {
  if (keys.includes(to)) return to;
  const [part, ...below] = partsOfAddress(`_${to}`) ?? [];
  return part?.name === "_" && part.key !== undefined && below.length === 0 ? part.key : to;
}

/**
 * The address that `to` of a component's alias names: a part of it, or a turn of its loop. Nothing has the address of a
 * loop without a key, so a name there is a key.
 */
function addressBelow({ forEach }: ComponentUse, base: string, to: string): string {
  if (to.startsWith("[")) return `${base}${to}`;
  return forEach === undefined ? `${base}/${to}` : `${base}${addressIn({ address: "" }, "", to)}`;
}

/** The former addresses of a part of the level, by the uses of components around the level. */
function formerAddresses(
  { aliases, moves }: Pick<Outside, "aliases" | "moves">,
  level: Level,
  address: string,
): string[] {
  return [
    ...aliases.map((from) => `${from}${address.slice(level.address.length)}`),
    ...moves.flatMap((move) => movedFrom(move, address)),
  ];
}

/** The aliases of the level that a component's use makes: by the use itself, and by the uses around it. */
function aliasesInside(
  use: ComponentUse,
  { name, key }: { name: string; key: string | undefined },
  level: Level,
  inner: Level,
  outside: Outside,
): Pick<Outside, "aliases" | "moves"> {
  const base = addressIn(level, name);
  const moves = (use.options.moves ?? []).map(({ from, to }) => ({
    from: absolute(from, level),
    to: addressBelow(use, base, to),
  }));
  const all = [...moves, ...outside.moves];
  return {
    aliases: [
      ...use.options.aliases.flatMap((from) => formerTurns(absolute(from, level), key)),
      ...moves.flatMap((move) => movedFrom(move, inner.address)),
      ...formerAddresses(outside, level, inner.address),
    ],
    moves: all.filter(({ to }) => to.startsWith(`${inner.address}/`)),
  };
}
