/** How instances may be bound to each other: never in a circle, and only so far. Pure. */
import { ApiError } from "#kernel/errors.ts";
import type { Bindings } from "#schema/instances.ts";

/** So many bindings an instance has at most. */
export const MAX_BINDINGS = 50;
/** So many instances a chain of bindings has at most, one reading the next. */
export const MAX_CHAIN = 50;
/** So many bindings are looked at to know that, at most. */
export const MAX_LINKS = 5_000;

/** `reader` is bound to an output of `upstream`. */
export interface Link {
  reader: string;
  upstream: string;
  /** What people call the upstream. */
  name: string;
}

/**
 * Throws `not_found` when a binding that a body gives names no instance of the tenant: one of another tenant's is
 * as good as none.
 */
export function requireUpstreams(
  given: { [variable: string]: { instanceId: string } | null } | undefined,
  found: readonly { id: string; tenantId: string }[],
  tenantId: string,
): void {
  const known = new Set(found.filter((it) => it.tenantId === tenantId).map(({ id }) => id));
  for (const [name, binding] of Object.entries(given ?? {}))
    if (binding !== null && !known.has(binding.instanceId))
      throw new ApiError("not_found", `The binding ${name} names no instance of the tenant.`);
}

export function requireFewBindings(bindings: Bindings): void {
  if (Object.keys(bindings).length > MAX_BINDINGS)
    throw new ApiError("quota_exceeded", `An instance has at most ${MAX_BINDINGS} bindings.`);
}

/**
 * Throws `invalid_state`, with the circle spelled out, when the instance would read its own outputs by way of
 * others; and when a chain would be longer than it may be. `named`: the instances that it is to read. `above`: the
 * links from those on upwards. `below`: those of its readers, on downwards.
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
      `The bindings would make a circle, each reading the next: ${circle.join(" → ")}. Leave one of them out.`,
    );
  }
  if (above.length >= MAX_LINKS || below.length >= MAX_LINKS)
    throw new ApiError(
      "invalid_state",
      `The instance would be tied to others by more than ${MAX_LINKS} bindings.`,
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
      `The bindings would make a chain of ${higher + 1 + lower} instances; ${MAX_CHAIN} are the most.`,
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

/** The ids from one of `from` up to `to`, both included; undefined: there is no way. */
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

/** How many instances the longest chain from one of these has. What is older than the rule may have circles. */
function longest(from: readonly string[], next: (id: string) => readonly string[]): number {
  let reached = new Set(from);
  for (let length = 0; ; length += 1) {
    if (reached.size === 0 || length > MAX_CHAIN) return length;
    reached = new Set([...reached].flatMap(next));
  }
}
