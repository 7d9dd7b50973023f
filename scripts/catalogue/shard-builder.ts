import type {
  Node,
  Shard,
  ShardIndex,
  ShardObject,
  ShardType,
} from "#providers/catalogue/shard.ts";

/** All files of a provider, by name. */
export type ShardFiles = ReadonlyMap<string, ShardIndex | Shard>;

/**
 * Collects the types of one service. `object` gives the index of the object that `make` describes, once for each key;
 * it may contain itself.
 */
export class ShardBuilder {
  readonly #types = new Map<string, ShardType>();
  readonly #objects: (ShardObject | undefined)[] = [];
  readonly #indexes = new Map<unknown, number>();

  object(key: unknown, make: () => ShardObject): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const index = this.#objects.length;
    this.#indexes.set(key, index);
    this.#objects.push(undefined);
    this.#objects[index] = make();
    return index;
  }

  /** The object with that index, as a source for another. */
  at(index: number): ShardObject {
    return this.#objects[index] ?? { p: {} };
  }

  add(name: string, type: ShardType): void {
    this.#types.set(name, type);
  }

  get types(): readonly string[] {
    return [...this.#types.keys()].toSorted();
  }

  build(): Shard {
    const objects = this.#objects.map((object) => object ?? { p: {} });
    const types = this.types.map((name) => [name, this.#types.get(name) ?? { p: {} }] as const);
    return withoutRepetition({ types: Object.fromEntries(types), objects });
  }
}

/** The files of a provider whose services these are. */
export function shardFiles(
  services: ReadonlyMap<string, ShardBuilder>,
  { stamp, complete }: Pick<ShardIndex, "stamp" | "complete">,
): ShardFiles {
  const sorted = [...services].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const files = new Map<string, ShardIndex | Shard>();
  for (const [service, builder] of sorted) {
    if (service === "index" || !/^[a-z0-9][a-z0-9.-]*$/.test(service))
      throw new Error(`A service cannot be named ${JSON.stringify(service)}.`);
    files.set(`${service}.json`, builder.build());
  }
  const names = sorted.map(([service, builder]) => [service, builder.types] as const);
  files.set("index.json", { stamp, complete, services: Object.fromEntries(names) });
  return files;
}

/** Joins equal objects, and drops objects without a reference. Ends when a round finds nothing to join. */
function withoutRepetition(shard: Shard): Shard {
  let { types, objects } = shard;
  for (;;) {
    const kept: ShardObject[] = [];
    const places = new Map<string, number>();
    const targets: number[] = [];
    const used = reachable(types, objects);
    for (const [index, object] of objects.entries()) {
      if (!used.has(index)) continue;
      const text = JSON.stringify(object);
      const place = places.get(text) ?? kept.push(object) - 1;
      places.set(text, place);
      targets[index] = place;
    }
    const joined = kept.length === objects.length;
    const renumbered = <T extends ShardObject>(object: T): T => ({
      ...object,
      p: mapValues(object.p, (node) => renumber(node, targets)),
    });
    types = mapValues(types, renumbered);
    objects = kept.map(renumbered);
    if (joined) return { types, objects };
  }
}

function reachable(types: Shard["types"], objects: readonly ShardObject[]): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting: ShardObject[] = Object.values(types);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const node of Object.values(next.p))
      for (const index of numbersIn(node)) {
        if (found.has(index)) continue;
        found.add(index);
        waiting.push(objects[index] ?? { p: {} });
      }
  return found;
}

function numbersIn(node: Node): number[] {
  if (typeof node === "number") return [node];
  if (typeof node === "string" || "e" in node) return [];
  if ("u" in node) return numbersIn(node.u);
  return numbersIn("m" in node ? node.m : node[0]);
}

function renumber(node: Node, targets: readonly number[]): Node {
  if (typeof node === "number") return targets[node] ?? "";
  if (typeof node === "string" || "e" in node) return node;
  if ("u" in node) return { u: renumber(node.u, targets) };
  return "m" in node ? { m: renumber(node.m, targets) } : [renumber(node[0], targets)];
}

function mapValues<V, W>(
  record: Readonly<Record<string, V>>,
  change: (value: V) => W,
): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
