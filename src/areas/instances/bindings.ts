/** The rules for bindings between instances: no circles, and bounded chains. Pure. */
import { ApiError } from "#kernel/errors.ts";
import { MAX_LISTED_MAP_BYTES, requireFits } from "#kernel/limits/require-fits.ts";
import type { Bindings } from "#schema/instances.ts";

/** The maximum number of bindings of an instance. */
export const MAX_BINDINGS = 50;
/** The maximum number of instances in a chain of bindings. */
export const MAX_CHAIN = 50;
/** The maximum number of bindings that are read to check this. */
export const MAX_LINKS = 5_000;

/** `reader` is bound to an output of `upstream`. */
export interface Link {
  reader: string;
  upstream: string;
  /** The name of the upstream. */
  name: string;
}

/** Throws `not_found` if a binding names an instance that does not exist or is another tenant's. */
export function requireUpstreams(
  given: { [variable: string]: { instanceId: string } | null } | undefined,
  found: readonly { id: string; tenantId: string }[],
  tenantId: string,
): void {
  const known = new Set(found.filter((it) => it.tenantId === tenantId).map(({ id }) => id));
  for (const [name, binding] of Object.entries(given ?? {}))
    if (binding !== null && !known.has(binding.instanceId))
      throw new ApiError(
        "not_found",
        `There is no instance of the tenant with the id that the binding ${name} names.`,
      );
}

export function requireFewBindings(bindings: Bindings): void {
  requireFits(bindings, "`bindings`", MAX_LISTED_MAP_BYTES);
  if (Object.keys(bindings).length > MAX_BINDINGS)
    throw new ApiError(
      "quota_exceeded",
      `An instance can have at most ${MAX_BINDINGS} bindings. Remove some.`,
    );
}

/**
 * Throws `invalid_state` if the instance would read its own outputs through others, naming the circle, and if a chain
 * would become too long. `named`: the instances to bind to. `above`: their links upstream. `below`: the links of the
 * instance's readers, downstream.
 */
export function requireNoCircle(
  instance: { id: string; name: string; bindings: Bindings },
  named: readonly { id: string; name: string }[],
  above: readonly Link[],
  below: readonly Link[],
): void {
  const upstreams = [...new Set(Object.values(instance.bindings).map((b) => b.instanceId))];
  const up = linksBy(above, ({ reader }) => reader);
  const way = shortestWay(upstreams, instance.id, up);
  if (way !== undefined) {
    const names = new Map([
      ...named.map(({ id, name }): [string, string] => [id, name]),
      ...above.map(({ upstream, name }): [string, string] => [upstream, name]),
    ]);
    const circle = [instance.id, ...way].map((id) => names.get(id) ?? instance.name);
    throw new ApiError(
      "invalid_state",
      `The bindings would form a circle, each instance reading the next: ${circle.join(" → ")}. Remove one of them.`,
    );
  }
  if (above.length >= MAX_LINKS || below.length >= MAX_LINKS)
    throw new ApiError(
      "invalid_state",
      `The instance would be connected to others by more than ${MAX_LINKS} bindings. Remove some.`,
    );
  const down = linksBy(below, ({ upstream }) => upstream);
  const higher = longest(upstreams, (id) => (up.get(id) ?? []).map(({ upstream }) => upstream));
  const lower = longest(
    (down.get(instance.id) ?? []).map(({ reader }) => reader),
    (id) => (down.get(id) ?? []).map(({ reader }) => reader),
  );
  if (higher + 1 + lower > MAX_CHAIN)
    throw new ApiError(
      "invalid_state",
      `The bindings would form a chain of ${higher + 1 + lower} instances; the maximum is ${MAX_CHAIN}.`,
    );
}

function linksBy(
  links: readonly Link[],
  keyOf: (link: Link) => string,
): ReadonlyMap<string, Link[]> {
  const by = new Map<string, Link[]>();
  for (const link of links) {
    const known = by.get(keyOf(link));
    if (known === undefined) by.set(keyOf(link), [link]);
    else known.push(link);
  }
  return by;
}

/** The shortest path from one of `from` upstream to `to`, both included; undefined: there is none. */
function shortestWay(
  from: readonly string[],
  to: string,
  up: ReadonlyMap<string, readonly Link[]>,
): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>(from.map((id) => [id, undefined]));
  for (const id of cameFrom.keys()) {
    if (id === to) {
      const way: string[] = [];
      for (let at: string | undefined = id; at !== undefined; at = cameFrom.get(at))
        way.unshift(at);
      return way;
    }
    for (const { upstream } of up.get(id) ?? [])
      if (!cameFrom.has(upstream)) cameFrom.set(upstream, id);
  }
  return undefined;
}

/** The length of the longest chain from these instances. It stops above the maximum, so it ends in a circle too. */
function longest(from: readonly string[], next: (id: string) => readonly string[]): number {
  let reached = new Set(from);
  for (let length = 0; ; length += 1) {
    if (reached.size === 0 || length > MAX_CHAIN) return length;
    reached = new Set([...reached].flatMap(next));
  }
}
